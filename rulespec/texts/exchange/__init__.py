"""A game's texts for the programs that translators work with, and back: PO, XLIFF 2 and TMX."""
