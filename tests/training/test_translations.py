"""Tests of the texts with translations that the embedding model is trained on."""

from __future__ import annotations

from training.translations import Translation, _is_paragraph, _paragraphs, _plain, written
from training.worlds import development, worlds


def test_every_written_translation_differs_and_none_is_of_a_world_kept_for_development() -> None:
    kept = [world for world in worlds() if development(world)]
    apart = {
        text for world in kept for text in (*world.passages.values(), *(question for question, _ in world.questions))
    }
    others = {
        text
        for world in worlds()
        if not development(world)
        for text in (*world.passages.values(), *(question for question, _ in world.questions))
    }
    found = list(written())
    assert len(found) > 7_000
    assert all(each.english.strip() and each.french.strip() and each.english != each.french for each in found)
    assert not {each.english for each in found} & (apart - others)


def test_paragraphs_have_no_markup_code_or_tables() -> None:
    document = "---\ntitle: x\n---\n# A *title*\n\nSee [the page](a.md), `now`.\n\n```sh\nrm\n```\n\n| a | b |\n"
    assert _paragraphs(document) == ["A title", "See the page, now."]


def test_placeholders_and_tags_are_left_out() -> None:
    assert _plain("Hello {name}, <b>welcome</b>&nbsp;back") == "Hello , welcomeback"


def test_a_paragraph_and_its_translation_have_similar_lengths() -> None:
    english = "The service restarts every night at three."
    assert _is_paragraph(Translation("a", english, "Le service redémarre chaque nuit à trois heures."))
    assert not _is_paragraph(Translation("a", english, "Oui."))
