"""May, must, cannot and need not, in the ways that people write them: each sentence says one of them, and no other."""

from __future__ import annotations

import pytest

from rulespec.texts.glossary import Glossary
from rulespec.texts.signature import MOODS, signature

SAID = {
    "must": {
        "de": ["Du musst passen.", "Sie müssen passen.", "Alle sind verpflichtet zu passen.", "Passen ist zwingend."],
        "it": ["Devi passare.", "Bisogna passare.", "È obbligatorio passare.", "Occorre passare."],
        "pt": ["Deves passar.", "Tens de passar.", "É obrigatório passar.", "É preciso passar."],
        "en": [
            "You must pass.",
            "You have to pass.",
            "You have got to pass.",
            "You’ve got to pass.",
            "You're required to pass.",
            "You are required to pass.",
            "They're obliged to pass.",
            "She's forced to pass.",
        ],
        "fr": [
            "Vous devez passer.",
            "Vous êtes tenu de passer.",
            "Vous êtes obligé de passer.",
            "Il faut passer.",
            "Il vous faut passer.",
            "Il est nécessaire de passer.",
            "Vous êtes contraints de passer.",
        ],
        "es": ["Debes pasar.", "Tienes que pasar.", "Hay que pasar.", "Estás obligado a pasar."],
        "ja": [
            "パスしなければなりません。",
            "パスせねばならない。",
            "パスせねばなりません。",
            "パスしなければならない。",
            "パスしなくてはいけません。",
            "パスしないといけません。",
            "パスせざるを得ない。",
        ],
    },
    "may": {
        "de": ["Du darfst passen.", "Du kannst passen.", "Passen ist erlaubt."],
        "it": ["Puoi passare.", "È permesso passare.", "Si può passare."],
        "pt": ["Podes passar.", "É permitido passar.", "Pode-se passar."],
        "en": ["You may pass.", "You can pass.", "You’re allowed to pass.", "You are free to pass."],
        "fr": [
            "Vous pouvez passer.",
            "Vous êtes autorisé à passer.",
            "Vous avez le droit de passer.",
            "Il est permis de passer.",
        ],
        "es": ["Puedes pasar.", "Está permitido pasar.", "Se puede pasar."],
        "ja": [
            "パスできます。",
            "パスしてもよい。",
            "パスして構わない。",
            "パスしてよい。",
            "パスしてもかまいません。",
            "パスして差し支えない。",
        ],
    },
    "cannot": {
        "de": [
            "Du darfst nicht passen.",
            "Du kannst nicht passen.",
            "Niemand darf passen.",
            "Passen ist verboten.",
            "Passen ist nicht erlaubt.",
        ],
        "it": [
            "Non puoi passare.",
            "Non si può passare.",
            "È vietato passare.",
            "Nessuno può passare.",
            "Non è permesso passare.",
        ],
        "pt": [
            "Não podes passar.",
            "Não se pode passar.",
            "Não deves passar.",
            "É proibido passar.",
            "Ninguém pode passar.",
        ],
        "en": [
            "You cannot pass.",
            "You can't pass.",
            "You can’t pass.",
            "You may not pass.",
            "You mustn't pass.",
            "You won't pass.",
            "You are not allowed to pass.",
            "You're not allowed to pass.",
            "You aren't permitted to pass.",
            "Nobody can pass.",
        ],
        "fr": [
            "Vous ne pouvez pas passer.",
            "On ne peut pas passer.",
            "Vous ne devez pas passer.",
            "Vous n'avez pas le droit de passer.",
            "Il ne faut pas passer.",
            "Il est interdit de passer.",
            "Aucun joueur ne peut passer.",
        ],
        "es": [
            "No puedes pasar.",
            "No se puede pasar.",
            "No debes pasar.",
            "Está prohibido pasar.",
            "Nadie puede pasar.",
        ],
        "ja": [
            "パスできません。",
            "パスすることはできない。",
            "パスしてはなりません。",
            "パスしてはいけない。",
            "パスしてはだめです。",
            "パスは禁止です。",
        ],
    },
    "need_not": {
        "de": [
            "Du musst nicht passen.",
            "Du brauchst nicht zu passen.",
            "Niemand muss passen.",
            "Passen ist nicht notwendig.",
        ],
        "it": ["Non sei obbligato a passare.", "Non è necessario passare.", "Non occorre passare."],
        "pt": [
            "Não tens de passar.",
            "Não é necessário passar.",
            "Não precisas de passar.",
            "Ninguém é obrigado a passar.",
        ],
        "en": [
            "You need not pass.",
            "You needn't pass.",
            "You don't have to pass.",
            "You don’t need to pass.",
            "You aren't required to pass.",
            "You're not required to pass.",
            "You are not obliged to pass.",
            "You haven't got to pass.",
            "Nobody has to pass.",
        ],
        "fr": [
            "Vous n'êtes pas obligé de passer.",
            "Vous n’êtes pas obligés de passer.",
            "Vous n'êtes pas tenu de passer.",
            "Vous n'avez pas à passer.",
            "Vous n'avez pas besoin de passer.",
            "Vous n'êtes nullement forcé de passer.",
            "Il n'est pas nécessaire de passer.",
        ],
        "es": [
            "No tienes que pasar.",
            "No estás obligado a pasar.",
            "No es obligatorio pasar.",
            "No hace falta pasar.",
            "No hay que pasar.",
        ],
        "ja": [
            "パスする必要はありません。",
            "パスしなくてよい。",
            "パスしなくてもよい。",
            "パスしなくても構いません。",
            "パスせずともよい。",
        ],
    },
}
CASES = [(mood, language, text) for mood, by in SAID.items() for language, texts in by.items() for text in texts]


@pytest.mark.parametrize(("mood", "language", "text"), CASES, ids=[f"{mood}-{text}" for mood, _, text in CASES])
def test_a_sentence_says_one_of_them(mood: str, language: str, text: str) -> None:
    said = signature(text, language, Glossary({}))
    assert {kind: said.moods[kind][0] for kind in MOODS} == {kind: int(kind == mood) for kind in MOODS}
    assert bool(said.denials) == (mood in ("cannot", "need_not"))
