"""Rule texts in several languages: what they say, and where they disagree.

- `glossary`: the game's terms and their forms
- `signature`: what a sentence says, whatever its language: terms, figures, may and must, directions, owners
- `readers`, `clauses`: a rulebook as sentences with places
- `align`, `compare`: which sentences say the same, and where they do not
"""
