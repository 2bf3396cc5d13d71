"""The commands remember, search, context, show and list."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from holdfast.core.memory import EPISODE, SCOPES, SOURCES
from holdfast.interfaces.cli import completion, formatting
from holdfast.interfaces.cli.app import CommandOptions, command, option, print_error, print_text
from holdfast.interfaces.cli.command_arguments import (
    LIMIT,
    WholeNumber,
    absolute,
    chunk,
    filtering,
    filters_of,
    json_field,
    moment,
    node,
    piped_in,
    text_of,
    types,
)
from holdfast.interfaces.cli.speaker import check_person, source_of
from holdfast.interfaces.cli.terminal import clean, is_terminal, paint, wrap
from holdfast.interfaces.json_values import without_trace
from holdfast.interfaces.language import number, translate, translate_count

# The modes and document types of `recall.document_search` and `documents.rules`, which are slow to import.
MODES = ("hybrid", "keyword", "vector")
DOC_TYPES = ("semantic", "procedural")
# More memories than this are not counted for a list: it would take a second for a million.
_MOST_COUNTED = 10_000


@command("remember", more=formatting.types)
@click.argument("text", nargs=-1, metavar="TEXT|-")
@option(
    "--type",
    "type_",
    metavar="TYPE",
    shell_complete=types,
    help="Type of the memory, for example decision (default: inferred from the text).",
)
@option(
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    shell_complete=completion.files,
    help="File the memory is about; repeatable.",
)
@option("--tag", "tags", multiple=True, metavar="TAG", help="Tag; repeatable.")
@option("--confidence", type=float, metavar="0..1", help="Confidence in the memory.")
@option("--scope", type=click.Choice(SCOPES), default="global", help="Scope of the memory.")
@option("--session", metavar="ID", help="Session the memory comes from.")
@option(
    "--source",
    type=click.Choice(SOURCES),
    help="Source of the memory (default: you, or the agent whose shell this is).",
)
@option(
    "--question",
    "questions",
    multiple=True,
    metavar="TEXT",
    help="Question that it answers, in other words than its own; repeatable.",
)
@option("--quote", metavar="WORDS", help="Words of a message that it rests on; kept as evidence.")
@option("--when", type=moment, metavar="DATE", help="Date or time of the event.")
@option(
    "--field",
    "fields",
    multiple=True,
    type=json_field,
    metavar="NAME=JSON",
    help="Structured field of the type; repeatable.",
)
@option("--module", "modules", multiple=True, metavar="NAME", help="Module the memory is about; repeatable.")
@option("--node", "target_node", type=node, metavar="FILE[:SYMBOL]", help="Code the memory is about.")
@option(
    "--affects",
    "impacted_nodes",
    multiple=True,
    type=node,
    metavar="FILE[:SYMBOL]",
    help="Code it affects; repeatable.",
)
@option("--stale-at", type=moment, metavar="DATE", help="Date or time from which it no longer applies.")
@option("--chunk", type=chunk, metavar="TYPE[:LINE-LINE]", help="Part of a file it is about, such as function:10-24.")
@option("--pin", "pinned", is_flag=True, help="Pin the memory: it is part of every context and never decays.")
@option(
    "--visibility",
    type=click.Choice(("personal", "project")),
    help="Where it holds: in all of your projects or in this one (default: personal for what you say of yourself).",
)
@option("--force", is_flag=True, help="Store a text even if it looks like a courtesy, a placeholder or routine output.")
@option("--lines", is_flag=True, help="Read one memory per line from standard input; store all or none.")
def remember(
    options: CommandOptions,
    text: tuple[str, ...],
    lines: bool,
    type_: str | None,
    files: tuple[str, ...],
    fields: Any,
    source: str | None,
    **rest: Any,
) -> int:
    from holdfast.core.admission import Candidate, Outcome

    source = source_of(os.environ, source)
    if rest["pinned"]:
        check_person(os.environ, "remember --pin")
    if bool(text) == lines:
        raise click.UsageError(translate("Give a text, or use --lines to read several from standard input"))
    texts = [line for line in piped_in().splitlines() if line.strip()] if lines else [text_of(text)]
    about = {"type": type_, "files": tuple(map(absolute, files)), "fields": dict(fields), "source": source, **rest}
    with options.open(create=True) as ws:
        answers = ws.remember_all(Candidate(text=content, **about) for content in texts)
        replaced = [[ws.get(id) for id in answer.superseded] for answer in answers]
    refused = [answer for answer in answers if answer.outcome is Outcome.REFUSED]
    kept = [pair for pair in zip(answers, replaced, strict=True) if pair[0].outcome is not Outcome.REFUSED]
    options.print_result(
        answers if lines else answers[0],
        lambda: "\n".join(formatting.admission(*pair, type_, inferred=type_ is None) for pair in kept),
    )
    if not options.json:
        for answer in refused:
            print_error(formatting.admission(answer))
        for file in filter(lambda file: kept and not os.path.exists(file), about["files"]):
            print_text(paint(translate("Note: {path} does not exist.", path=clean(os.path.relpath(file))), "yellow"))
    return 1 if refused else 0


@command("search")
@click.argument("query", nargs=-1, required=True)
@option("--limit", type=LIMIT, default=8, metavar="N", show_default=True, help="Maximum number of hits.")
@option("--also", multiple=True, metavar="TEXT", help="The same question in other words; repeatable.")
@filtering
@option(
    "--temporal", metavar="WHEN", help="Time range: recent:SESSIONS, window:DATE..DATE, around:ID|DATE or trend:DAYS."
)
@option("--phase", metavar="PHASE", help="Phase of the work, for example implement.")
@option("--all", "all_", is_flag=True, help="Include weak hits.")
@option("--recipe", default="default", metavar="NAME", help="Search recipe: default, keyword, vector or rrf.")
@option("--explain", is_flag=True, help="Show how each hit was found and scored.")
@option("--mode", type=click.Choice(MODES), help="Search documents only: by keyword, by vector or by both.")
@option("--label", "label", multiple=True, metavar="LABEL", help="Only documents with this label; repeatable.")
@option("--doc-type", multiple=True, type=click.Choice(DOC_TYPES), help="Only documents of this type; repeatable.")
@option(
    "--per-document",
    type=WholeNumber(min=0),
    metavar="N",
    help="Maximum number of chunks per document; 0 means no limit.",
)
def search(
    options: CommandOptions,
    query: tuple[str, ...],
    limit: int,
    also: tuple[str, ...],
    all_: bool,
    recipe: str,
    explain: bool,
    temporal: str | None,
    phase: str | None,
    mode: str | None,
    label: tuple[str, ...],
    doc_type: tuple[str, ...],
    per_document: int | None,
    **filters: Any,
) -> None:
    how: dict[str, Any] = {"limit": limit, "recipe": recipe, "abstain": not all_, "temporal": temporal, "phase": phase}
    own = {"mode": mode, "label": label or None, "doc_type": doc_type or None, "per_document": per_document}
    of_documents: dict[str, Any] = {name: value for name, value in own.items() if value is not None}
    if of_documents and (temporal or phase or also):
        raise click.UsageError(translate("--also, --phase and --temporal do not apply to a search of documents only"))
    with options.open() as ws:
        chosen = filters_of(ws, filters)
        if of_documents:
            answer = ws.search_documents(text_of(query), limit=limit, recipe=recipe, **of_documents, **chosen)
        else:
            answer = ws.recall(text_of(query), also=also, **how, **chosen)
        is_empty = not answer.hits and not ws.count() and not ws.stats().chunks
    options.print_result(answer if explain else without_trace(answer), lambda: formatting.hits(answer, explain))
    if is_empty and not options.json:
        print_error(translate("nothing is stored in this project yet; `holdfast init` shows what to begin with"))


@command("context")
@click.argument("prompt", nargs=-1, required=True, metavar="PROMPT|-")
@option("--phase", metavar="PHASE", help="Phase of the work, for example implement.")
@option("--budget", type=WholeNumber(min=1), metavar="TOKENS", help="Maximum number of tokens.")
@option("--session", metavar="ID", help="Current session; its own messages and what it was given before are left out.")
@option("--repeat", is_flag=True, help="Include what the session was given before.")
def context(options: CommandOptions, prompt: tuple[str, ...], **rest: Any) -> None:
    with options.open() as ws:
        pack = ws.context(text_of(prompt), **rest)
    options.print_result(without_trace(pack), lambda: wrap(pack.text, indent=2) if is_terminal() else pack.text)
    if not options.json:  # Not on standard output, which goes into a prompt.
        nothing = [] if pack.text else [translate("No relevant memory to add to this prompt.")]
        sys.stderr.writelines(f"holdfast: {note}\n" for note in (*nothing, *formatting.warnings(pack.warnings)))


@command("show", more=formatting.naming)
@click.argument("id", shell_complete=completion.memories)
@option("--diff", is_flag=True, help="Show what changed in the code that the memory is about.")
def show(options: CommandOptions, id: str, diff: bool) -> None:
    with options.open() as ws:
        description = ws.describe(id, diff)
    options.print_result(description, lambda: formatting.description(description))


@command("list")
@filtering
@option(
    "--order",
    type=click.Choice(("newest", "oldest", "confidence", "used")),
    default="newest",
    show_default=True,
    help="Sort order.",
)
@option("--limit", type=LIMIT, default=50, metavar="N", show_default=True, help="Maximum number of results.")
@option("--offset", type=WholeNumber(0, 1_000_000_000), default=0, metavar="N", help="Skip the first N results.")
@option("--forgotten", "include_forgotten", is_flag=True, help="Include forgotten and replaced memories.")
@option("--messages", is_flag=True, help="Include messages of conversations; --type episode lists only those.")
def list_(
    options: CommandOptions,
    order: str,
    limit: int,
    offset: int,
    include_forgotten: bool,
    messages: bool,
    **filters: Any,
) -> None:
    with options.open() as ws:
        asked = filters_of(ws, filters)
        chosen = {**asked, "include_forgotten": include_forgotten}
        if not messages and "types" not in chosen:
            chosen["types"] = tuple(name for name in ws.types.names() if name != EPISODE)
        memories = ws.list(order=order, limit=limit, offset=offset, **chosen)
        is_told = is_terminal() and not options.json
        total = ws.count(_MOST_COUNTED, **chosen) if is_told else 0
        left_out = ws.count(**{**chosen, "types": EPISODE}) if is_told and not (memories or "types" in asked) else 0
    to_review = bool(filters.get("needs_review"))
    empty = translate("Nothing to review.") if to_review else "" if asked or offset else formatting.no_memories()
    options.print_result(memories, lambda: formatting.rows(memories, whole=to_review, empty=empty))
    if is_told and memories and to_review:
        hint = translate("`holdfast confirm ID` keeps a memory, `holdfast forget ID` removes it from search.")
        print_text(paint(wrap(hint), "dim"))
    if left_out:
        kept = translate_count(left_out, "{n} message of conversations", "{n} messages of conversations")
        print_text(paint(wrap(translate("{name}: {value}", name=kept, value="`holdfast list --messages`")), "dim"))
    if len(memories) < total:
        more = translate(
            "{shown} of {total} shown; use --limit and --offset for more",
            shown=number(len(memories)),
            total=f"{number(total)}+" if total == _MOST_COUNTED else number(total),
        )
        print_text(paint(wrap(more), "dim"))
