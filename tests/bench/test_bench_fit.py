"""The fitting of shipped weights, checked with small examples."""

from __future__ import annotations

import numpy as np
from bench.fit import Case, fit, logistic


def cases(count: int = 60) -> list[Case]:
    """Questions with twelve candidates: measure 1 indicates the answer, 2 is noise, 3 misleads."""
    chance = np.random.default_rng(0)
    made = []
    for _ in range(count):
        answers = np.arange(12) == chance.integers(12)
        telling = 0.6 * answers + 0.4 * chance.random(12)
        made.append(Case(np.stack((telling, chance.random(12), 1.0 - telling), axis=1), answers))
    return made


def test_the_decisive_measure_gets_the_weight_and_no_weight_is_negative() -> None:
    telling, noise, misleading = fit(cases())
    assert telling > 5
    assert abs(noise) < 0.5
    assert misleading == 0


def test_a_question_without_its_answer_teaches_nothing() -> None:
    made = cases(20)
    blank = Case(made[0].measured, np.zeros(12, bool))
    assert np.allclose(fit([*made, blank]), fit(made))


def test_a_probability_is_fitted_to_how_often_it_is_true() -> None:
    sign = np.repeat([[0.0], [1.0]], 100, axis=0)
    true = np.array([1.0] * 20 + [0.0] * 80 + [1.0] * 80 + [0.0] * 20)
    slope, bias = logistic(sign, true, np.ones(200))
    low, high = 1 / (1 + np.exp(-bias)), 1 / (1 + np.exp(-(bias + slope[0])))
    assert abs(low - 0.2) < 0.01
    assert abs(high - 0.8) < 0.01
