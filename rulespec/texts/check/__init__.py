"""The content's own texts: all languages against each other, and against what is declared.

problems = Problems()
check_texts(source, problems)
"""

from rulespec.texts.check.everything import check_texts

__all__ = ["check_texts"]
