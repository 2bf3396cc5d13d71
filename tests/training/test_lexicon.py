"""The French lexicon and the forms that are generated for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from training.lexicon import OUT, feminine_of, lexicon, plural, read_list, verb_forms


def test_the_shipped_file_is_what_the_lists_give() -> None:
    assert OUT.read_text(encoding="utf-8") == "".join(f"{form}\t{gloss}\n" for form, gloss in sorted(lexicon()))


@pytest.mark.parametrize(
    ("infinitive", "forms"),
    [
        ("parler", {"parle", "parlons", "parlait", "parlé", "parlées", "parlera"}),
        ("manger", {"mange", "mangeons", "mangé"}),
        ("placer", {"place", "plaçons"}),
        ("acheter", {"achète", "achetons", "achètera"}),
        ("finir", {"finit", "finissons", "fini"}),
        ("vendre", {"vendons", "vendu", "vendra"}),
    ],
)
def test_regular_forms_of_verbs(infinitive: str, forms: set[str]) -> None:
    assert forms <= set(verb_forms(infinitive))


def test_plurals_and_feminines() -> None:
    assert [plural(word) for word in ("clé", "journal", "bureau", "prix")] == ["clés", "journaux", "bureaux", "prix"]
    assert [feminine_of(word) for word in ("grand", "actif", "cher", "rouge")] == ["grande", "active", "chère", "rouge"]


@pytest.mark.parametrize("line", ["mot", "\tword", "mot\t", "mot\tword\tmore"])
def test_a_line_of_another_form_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"list\.tsv, line 1"):
        list(read_list(tmp_path / "list.tsv"))
