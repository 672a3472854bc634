"""The content's own texts: all languages against each other, and against what is declared.

from rulespec.texts.check.everything import check_texts

problems = Problems()
check_texts(source, problems)

Nothing is imported here: a check of a game looks at figures alone, and imports what that needs.
"""
