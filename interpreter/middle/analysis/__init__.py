"""Facts about a program: control flow, what cannot fail, costs, what is worth remembering. None of them changes it."""
