"""Small functions, small modules: the middle is small, and there is no giant that only its author can change."""

from __future__ import annotations

from statistics import median, quantiles

from tests.project.modules import functions, modules

LONGEST_FUNCTION = 60
MEDIAN_FUNCTION = 8
NINE_OF_TEN_FUNCTIONS = 25
LONGEST_MODULE = 500
MEDIAN_MODULE = 200


def test_no_function_is_too_long() -> None:
    """Docstrings and decorators are not counted."""
    too_long = [f"{function}: {function.lines} lines" for function in functions() if function.lines > LONGEST_FUNCTION]
    assert too_long == []


def test_most_functions_are_short() -> None:
    lines = [function.lines for function in functions()]
    assert median(lines) <= MEDIAN_FUNCTION
    assert quantiles(lines, n=10, method="inclusive")[-1] <= NINE_OF_TEN_FUNCTIONS


def test_no_module_is_too_long() -> None:
    sizes = {module.place: module.text.count("\n") for module in modules().values()}
    assert {place: size for place, size in sizes.items() if size > LONGEST_MODULE} == {}


def test_most_modules_are_short() -> None:
    """Empty `__init__` files do not count: they would make any median small."""
    sizes = [module.text.count("\n") for module in modules().values() if module.text.strip()]
    assert median(sizes) <= MEDIAN_MODULE
