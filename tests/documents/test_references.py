"""The references of a text, and the documents they mean."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.documents.document_references import DocumentNames, Reference, record, record_of, references

LINKS: list[tuple[str, str]] = [
    ("[auth](specs/auth.md)", "specs/auth.md"),
    ("[auth](<specs/auth.md> 'Title')", "specs/auth.md"),
    ("![plan](plan.md)", "plan.md"),
    ("[auth](../auth.md#login)", "../auth.md"),
    ("[auth](my%20notes.md)", "my notes.md"),
    ("[auth][a]\n\n[a]: specs/auth.md 'Title'", "specs/auth.md"),
    ("See <docs/auth.md>.", "docs/auth.md"),
    ('<a href="auth.md">', "auth.md"),
    ("[[Auth Flow|the flow]]", "Auth Flow"),
    ("`the flow <auth.rst>`_", "auth.rst"),
    ("`the flow <auth.rst>`__", "auth.rst"),
    (".. _flow: auth.rst\n", "auth.rst"),
    (":doc:`auth`", "auth"),
    (":doc:`the flow <guide/auth>`", "guide/auth"),
]
OUTSIDE = ["[x](https://example.org/a.md)", "[x](mailto:a@b.c)", "[x](#part)", "<https://example.org/a.md>", "[x]()"]
MENTIONS: list[tuple[str, str]] = [
    ("as specs/auth says", "specs/auth"),
    ("see ADR-0007.", "adr 7"),
    ("PEP 484 and RFC 2119", "pep 484"),
    ("PEP 484 and RFC 2119", "rfc 2119"),
    ("see :pep:`484#types`", "pep 484"),
    ("in auth-flow.md there", "auth-flow.md"),
]


def of(text: str, kind: str, **front: Any) -> list[str]:
    return [one.target for one in references(text, front) if one.kind == kind]


@pytest.mark.parametrize(("text", "target"), LINKS)
def test_links_of_every_form_are_read(text: str, target: str) -> None:
    assert target in of(text, "link")


@pytest.mark.parametrize("text", OUTSIDE)
def test_external_links_are_ignored(text: str) -> None:
    assert references(text, {}) == ()


@pytest.mark.parametrize(("text", "target"), MENTIONS)
def test_bare_mentions_are_read(text: str, target: str) -> None:
    assert target in of(text, "mention")


def test_refs_lines_name_documents() -> None:
    assert of("# Auth\n\nRefs: users, specs/sessions\n", "ref") == ["users", "specs/sessions"]
    assert of("Refs: ADR-3, ADR-12", "ref") == ["adr 3", "adr 12"]


@pytest.mark.parametrize(
    ("text", "front", "kind", "target"),
    [
        ("", {"pep": "484", "superseded_by": "563"}, "superseded_by", "pep 563"),
        ("", {"pep": "8", "replaces": "7, 6"}, "supersedes", "pep 6"),
        ("", {"supersedes": ["0003-queue.md"]}, "supersedes", "0003-queue.md"),
        ("", {"superseded_by": "[ADR 9](0009-queue.md)"}, "superseded_by", "0009-queue.md"),
        ("# 3 Queue\n\nStatus: Superseded by [ADR-0009](0009-queue.md)\n", {}, "superseded_by", "0009-queue.md"),
        ("# 3 Queue\n\n## Status\n\nAccepted, superseded by ADR-0009\n", {}, "superseded_by", "adr 9"),
        ("* **Status:** superseded by ADR 9\n", {}, "superseded_by", "adr 9"),
        ("- Status: superseded by 0009\n", {}, "superseded_by", "0009"),
        ("Supersedes: 3, #7\n", {}, "supersedes", "7"),
        ("Supersedes [3](0003-queue.md)\n", {}, "supersedes", "0003-queue.md"),
        ("Replaced-By: 0009-queue.md\n", {}, "superseded_by", "0009-queue.md"),
    ],
)
def test_superseded_documents_are_read_from_front_matter_and_status(
    text: str, front: dict[str, Any], kind: str, target: str
) -> None:
    assert target in of(text, kind, **front)


def test_prose_about_replacing_is_no_reference() -> None:
    prose = "The team met on Monday and in the end decided that the cache replaces what ADR-0003 had asked for."
    assert of(prose, "supersedes") == []
    assert of("Supersedes 3 older drafts.", "supersedes") == []


PATHS = [
    "README.md", "docs/auth.md", "docs/guide/index.md", "docs/adr/0007-cache.md", "peps/pep-0484.rst",
    "flow/specs/auth/spec.md", "flow/changes/archive/one/specs/auth/spec.md", "flow/changes/archive/one/proposal.md",
    "flow/changes/archive/one/specs/gone/spec.md", "a/adr/0001-x.md", "b/adr/0001-y.md", "docs/cli.md", "guide/cli.md",
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "target", "kind", "meant"),
    [
        ("docs/guide/index.md", "../auth.md", "link", "docs/auth.md"),
        ("docs/guide/index.md", "docs/auth.md", "link", "docs/auth.md"),
        ("docs/guide/index.md", "/docs/auth.md", "link", "docs/auth.md"),
        ("docs/guide/index.md", "../auth", "link", "docs/auth.md"),
        ("docs/auth.md", "guide/", "link", "docs/guide/index.md"),
        ("docs/auth.md", "../../etc/passwd", "link", None),
        ("docs/auth.md", "nothing.md", "link", None),
        ("docs/auth.md", "auth.md", "link", None),
        ("README.md", "specs/auth", "mention", "flow/specs/auth/spec.md"),
        ("README.md", "adr 7", "mention", "docs/adr/0007-cache.md"),
        ("README.md", "pep 484", "mention", "peps/pep-0484.rst"),
        ("README.md", "auth.md", "mention", "docs/auth.md"),
        ("README.md", "and/or", "mention", None),
        ("a/notes.md", "adr 1", "mention", "a/adr/0001-x.md"),
        ("b/notes.md", "adr 1", "mention", "b/adr/0001-y.md"),
        ("README.md", "cache", "ref", None),
        ("docs/adr/0009-queue.md", "0007", "superseded_by", "docs/adr/0007-cache.md"),
        ("b/adr/0002-z.md", "1", "supersedes", "b/adr/0001-y.md"),
        ("README.md", "0007", "supersedes", None),
        ("README.md", "0007-cache", "ref", "docs/adr/0007-cache.md"),
        ("flow/changes/archive/one/proposal.md", "auth", "ref", "flow/specs/auth/spec.md"),
        ("flow/changes/archive/one/proposal.md", "specs/auth", "ref", "flow/specs/auth/spec.md"),
        ("flow/changes/archive/one/proposal.md", "specs/auth", "mention", "flow/specs/auth/spec.md"),
        ("flow/changes/archive/one/proposal.md", "specs/auth/spec.md", "mention", "flow/specs/auth/spec.md"),
        (
            "flow/changes/archive/one/proposal.md",
            "specs/auth/spec.md",
            "link",
            "flow/changes/archive/one/specs/auth/spec.md",
        ),
        ("flow/changes/archive/one/proposal.md", "gone", "ref", "flow/changes/archive/one/specs/gone/spec.md"),
        ("README.md", "flow/changes/archive/one/proposal.md", "mention", "flow/changes/archive/one/proposal.md"),
        ("docs/d.md", "auth", "ref", "flow/specs/auth/spec.md"),
        ("docs/auth.md", "auth", "ref", "flow/specs/auth/spec.md"),
        ("docs/cli.md", "cli", "ref", "guide/cli.md"),
        ("flow/specs/auth/spec.md", "auth", "ref", "docs/auth.md"),
    ],
)
def test_a_name_is_resolved_relative_to_its_document(source: str, target: str, kind: str, meant: str | None) -> None:
    assert DocumentNames(PATHS).resolve(source, Reference(target, kind)) == meant


def test_record_names_are_normalised() -> None:
    assert {record(name) for name in ("ADR-0007", "adr 7", "ADR7", "Decision 7")} == {"adr 7"}
    assert record("chapter 7") == ""
    assert record_of("docs/decisions/0012-cache.md") == "adr 12"
    assert record_of("rfcs/0012-cache.md") == "rfc 12"
    assert record_of("docs/decisions/2024-05-01-cache.md") == ""
    assert record_of("docs/0012-cache.md") == ""


def test_a_name_of_too_many_documents_means_none() -> None:
    names = DocumentNames([f"{n}/readme.md" for n in range(40)])
    assert names.resolve("notes.md", Reference("readme.md", "mention")) is None
    assert names.resolve("7/notes.md", Reference("readme.md", "mention")) == "7/readme.md"


def test_ten_thousand_links_to_one_page_are_one_reference() -> None:
    text = "[auth](auth.md) " * 10_000
    assert references(text, {}) == (Reference("auth.md", "link"), Reference("auth.md", "mention"))


@pytest.mark.parametrize("sign", ["](", "[", "<", "a/", "<a.", "Superseded ", "* ", "*", "superseded\n*", "\n", ".md"])
def test_repeated_signs_do_not_take_long(sign: str) -> None:
    assert len(references(sign * 100_000 + " [tea](tea.md)", {})) <= 2_000
