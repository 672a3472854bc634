"""The language server: a thin shell that speaks the Language Server Protocol over `rulespec.service`."""
