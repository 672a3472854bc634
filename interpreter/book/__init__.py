"""The rulebook of a game in one language, made from the texts of its rules and from declared values.

book = make_book(source, "fr")
html(book), markdown(book)
"""

from interpreter.book.html import html
from interpreter.book.make import make_book
from interpreter.book.markdown import markdown

__all__ = ["html", "make_book", "markdown"]
