"""The `rulespec` command: a thin shell over both packages, one file for each command."""
