"""After three failures in a row an embedder is left alone for half a minute."""

from __future__ import annotations

import pytest

from omoide.domain.circuit import Circuit


class Seconds:
    """Seconds that move only when told to."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


def failing(times: int) -> tuple[Circuit, Seconds]:
    clock = Seconds()
    circuit = Circuit("the embedder", clock=clock)
    for _ in range(times):
        assert circuit.may_try()
        circuit.failed("it is away")
    return circuit, clock


@pytest.mark.proves("F16")
def test_two_failures_change_nothing() -> None:
    circuit, _ = failing(2)

    assert circuit.may_try()
    assert not circuit.rests


@pytest.mark.proves("F16")
def test_after_three_failures_in_a_row_nobody_tries_for_thirty_seconds() -> None:
    circuit, clock = failing(3)
    assert circuit.rests
    assert not circuit.may_try()
    clock.now += 29.9
    assert not circuit.may_try()
    assert "it is away" in circuit.trouble


def test_a_success_in_between_begins_the_count_anew() -> None:
    circuit, _ = failing(2)
    circuit.succeeded()
    circuit.failed("again")
    circuit.failed("again")

    assert circuit.may_try()


def test_after_the_rest_one_tries_and_the_others_go_on() -> None:
    circuit, clock = failing(3)
    clock.now += 30.0

    assert [circuit.may_try() for _ in range(3)] == [True, False, False]


def test_a_trial_that_fails_begins_another_rest() -> None:
    circuit, clock = failing(3)
    clock.now += 30.0
    assert circuit.may_try()
    clock.now += 5.0
    circuit.failed("still away")

    clock.now += 29.9
    assert not circuit.may_try()
    clock.now += 0.1
    assert circuit.may_try()


def test_a_trial_that_succeeds_lets_all_try() -> None:
    circuit, clock = failing(3)
    clock.now += 30.0
    assert circuit.may_try()
    circuit.succeeded()

    assert circuit.may_try()
    assert circuit.may_try()


def test_a_trial_that_nobody_waited_for_is_made_again_after_another_rest() -> None:
    """Its caller may have gone away; nothing was learnt of the embedder."""
    circuit, clock = failing(3)
    clock.now += 30.0
    assert circuit.may_try()
    clock.now += 30.0

    assert circuit.may_try()
