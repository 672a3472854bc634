"""What an editor may ask of a game while it is being written: pure functions of texts and places in them.

Nothing here reads a file or prints: texts are given, also those that are not saved, and answers are values.

    space = Workspace()
    space.put("islands/game.yaml", text)
    complete(space, "islands/game.yaml", offset)
"""
