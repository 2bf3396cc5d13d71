"""The share of the best sentence that serves one set is chosen by the others."""

from __future__ import annotations

from training.fit.sentences import best_share


def test_the_share_with_the_highest_mean_is_chosen() -> None:
    assert best_share([{"a": 0.1, "b": 0.9}, {"a": 0.8, "b": 0.7}, {"a": 0.2, "b": 0.8}]) == 1


def test_a_set_is_left_out_with_all_of_its_figures() -> None:
    columns = [
        {"chats": 0.9, "chats, sessions in five": 0.9, "chats, one store": 0.9, "talks": 0.1},
        {"chats": 0.1, "chats, sessions in five": 0.1, "chats, one store": 0.1, "talks": 0.9},
    ]
    assert best_share(columns) == 0
    assert best_share(columns, without="chats") == 1
    assert best_share(columns, without="chats, sessions in five") == 1
