"""Intervals against published tables and figures worked out by hand."""

from __future__ import annotations

import math

import pytest

from interpreter.simulate.numbers import Moments, correlation, quantiles, share, stand_out, t_quantile


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [  # R. G. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval(hits: int, trials: int, low: float, high: float) -> None:
    found = share(hits, trials)
    assert found.value == hits / trials
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_is_known_of_no_trials() -> None:
    found = share(0, 0)
    assert (found.low, found.high, found.trials) == (0.0, 1.0, 0)


@pytest.mark.parametrize(
    ("part", "free", "t"),
    [  # any table of Student's t
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 5, 2.571),
        (0.975, 10, 2.228),
        (0.995, 10, 3.169),
        (0.975, 30, 2.042),
        (0.95, 120, 1.658),
    ],
)
def test_students_t(part: float, free: int, t: float) -> None:
    assert t_quantile(part, free) == pytest.approx(t, abs=2e-3)


def test_a_mean_and_its_interval() -> None:
    """1, 2, 3, 4: mean 2.5, variance 5/3, error sqrt(5/12) = 0.6455, t of 3 degrees 3.182: 2.5 ± 2.054."""
    moments = Moments()
    for value in (1, 2, 3, 4):
        moments.add(value)
    found = moments.figure()
    assert (found.value, found.trials) == (2.5, 4)
    assert found.high - found.value == pytest.approx(2.054, abs=0.01)
    assert found.value - found.low == pytest.approx(found.high - found.value)


def test_the_chance_of_a_mean() -> None:
    """Nine differences of mean 1 and deviation 1.5: t = 2 with 8 degrees, for which tables give 0.0805."""
    moments = Moments()
    for value in (1 - 1.5, 1 + 1.5) * 4 + (1.0,):
        moments.add(value)
    assert moments.variance == pytest.approx(8 * 2.25 / 8)
    assert moments.chance() == pytest.approx(0.0805, abs=0.004)


@pytest.mark.parametrize(("values", "chance"), [((0, 0, 0), 1.0), ((2, 2, 2), 0.25), ((5,), 1.0)])
def test_differences_without_any_spread(values: tuple[int, ...], chance: float) -> None:
    """Three that are alike: that three have one sign, whichever, is as probable as 2 of 8."""
    moments = Moments()
    for value in values:
        moments.add(value)
    assert moments.chance() == chance


def test_a_correlation() -> None:
    """x 1 2 3 4 5, y 2 1 4 3 5: r = 0.8; Fisher's z = 1.0986 ± 1.96 / sqrt(2)."""
    x, y = (1, 2, 3, 4, 5), (2, 1, 4, 3, 5)
    sums = sum(x), sum(y), sum(a * a for a in x), sum(b * b for b in y), sum(a * b for a, b in zip(x, y, strict=True))
    found = correlation(sums, 5)
    assert found is not None
    assert found.value == pytest.approx(0.8)
    assert found.low == pytest.approx(math.tanh(1.0986 - 1.3859), abs=1e-3)
    assert found.high == pytest.approx(math.tanh(1.0986 + 1.3859), abs=1e-3)


def test_a_correlation_of_trials_that_hang_on_each_other() -> None:
    """The same with four of the five that hang on no other: z ± 1.96 / sqrt(4 - 3)."""
    x, y = (1, 2, 3, 4, 5), (2, 1, 4, 3, 5)
    sums = sum(x), sum(y), sum(a * a for a in x), sum(b * b for b in y), sum(a * b for a, b in zip(x, y, strict=True))
    found = correlation(sums, 5, independent=4)
    assert found is not None
    assert (found.value, found.trials) == (pytest.approx(0.8), 5)
    assert found.low == pytest.approx(math.tanh(1.0986 - 1.96), abs=1e-3)


@pytest.mark.parametrize("sums", [(0, 3, 0, 3, 0), (5, 5, 5, 5, 5)])
def test_no_correlation_where_nothing_changes(sums: tuple[float, ...]) -> None:
    assert correlation(sums, 5) is None


def test_what_stands_out_of_many() -> None:
    """Holm: 0.005 against 0.05 / 4, 0.01 against 0.05 / 3, 0.03 against 0.05 / 2: there it ends."""
    assert stand_out([0.01, 0.04, 0.03, 0.005]) == [True, False, False, True]


def test_quantiles_of_counts() -> None:
    assert quantiles({10: 5, 20: 4, 30: 1}, (0.05, 0.5, 0.51, 0.9, 0.95)) == [10, 10, 20, 20, 30]


def test_moments_put_together_are_those_of_all_numbers() -> None:
    """2, 4, 9 and 5: the mean is 5, and the squared distances from it 9, 1, 16 and 0."""
    first, second = Moments(), Moments()
    for value in (2, 4, 9):
        first.add(value)
    second.add(5)
    first.merge(second)
    first.merge(Moments())
    assert (first.count, first.mean) == (4, 5)
    assert first.squares == pytest.approx(26)
    second.merge(first)
    assert (second.count, second.mean) == (5, 5)
    assert second.squares == pytest.approx(26)
