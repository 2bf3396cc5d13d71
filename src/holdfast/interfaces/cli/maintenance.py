"""The commands init, stats, doctor, upkeep and models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from holdfast.core.health import FAILED, Health, HealthLevel, Stats
from holdfast.interfaces.cli import formatting
from holdfast.interfaces.cli.app import CommandOptions, command, group, option
from holdfast.interfaces.cli.progress_bar import progress_bar, working
from holdfast.interfaces.cli.terminal import age, clean, paint, section, size, table, width
from holdfast.interfaces.language import number, translatable, translate, translate_count

if TYPE_CHECKING:
    from holdfast.core.code import CodeIndexState
    from holdfast.core.health import DailyUsage, JobRun, TypeCount
    from holdfast.models.installed import InstalledModel

_CHECKS = {
    "integrity": translatable("integrity"),
    "references": translatable("references"),
    "full text": translatable("full-text index"),
    "findable": translatable("searchable"),
    "orphans": translatable("orphans"),
    "vectors": translatable("vectors"),
    "disk space": translatable("disk space"),
    "permissions": translatable("permissions"),
    "log": translatable("write-ahead log"),
    "vector file": translatable("vector file"),
    "files": translatable("files of the project"),
    "model": translatable("embedding model"),
    "code": translatable("code index"),
    "llm": translatable("language model"),
    "hooks": translatable("hooks of agents"),
}
_MARKS = {HealthLevel.GOOD: ("✓", "green"), HealthLevel.WARNING: ("!", "yellow"), HealthLevel.BAD: ("✗", "red")}


@command("stats")
def stats(options: CommandOptions) -> None:
    with options.open() as ws:
        found = ws.stats()
    options.print_result(found, lambda: _stats(found))


@command("doctor")
@option("--repair", is_flag=True, help="Rebuild derived data; read a damaged database into a new one.")
def doctor(options: CommandOptions, repair: bool) -> int:
    salvaged = options.salvage() if repair else ()
    with options.open() as ws:
        health = ws.doctor(repair=repair)
    health = replace(health, repairs=(*salvaged, *health.repairs))
    plain = {"sound": health.sound, "findings": health.findings, "repairs": health.repairs}
    options.print_result(plain, lambda: _findings(health))
    return 0 if health.sound else 1


@command("upkeep", more=formatting.jobs)
@click.argument("job", required=False)
@option("--background", is_flag=True, hidden=True, help="Run as the background process.")
@option("--patience", type=float, default=0.0, hidden=True, help="Seconds to wait for another background process.")
def upkeep(options: CommandOptions, job: str | None, background: bool, patience: float) -> int:
    # The background process starts no other: on a full disk it cannot free the lease, and each would start the next.
    with options.open(background=False if background else None) as ws, working(ws):
        done = ws.run_background(patience) if background else ws.upkeep(job)
    options.print_result(done, lambda: _done(done))
    return 1 if any(isinstance(result, Mapping) and "failed" in result for result in done.values()) else 0


models = group("models")


@command("list", group=models, help=translatable("List the models available offline."))
def list_models(options: CommandOptions) -> None:
    with options.open() as ws:
        found, chosen = ws.models(), ws.settings.embedder
    options.print_result({"embedder": chosen, "models": found}, lambda: _model_rows(found, chosen))


@command("pull", group=models, help=translatable("Download a model from the Hugging Face Hub by its name, owner/name."))
@click.argument("name")
def pull_model(options: CommandOptions, name: str) -> None:
    with options.open() as ws, progress_bar(name) as progress:
        model = ws.pull_model(name, progress)
    text = translate(
        "Downloaded {name}, {size}. To use it: holdfast models use {name}", name=model.name, size=size(model.bytes)
    )
    options.print_result(model, lambda: clean(text))


@command("use", group=models, help=translatable("Choose a model; memories are embedded again in the background."))
@click.argument("name")
def use_model(options: CommandOptions, name: str) -> None:
    with options.open() as ws:
        embedder = ws.use_model(name)
    chosen = embedder.id if embedder else translate("no model, keyword search only")
    options.print_result(
        {"embedder": name, "id": embedder and embedder.id},
        lambda: clean(translate("Embedding model: {name}.", name=chosen)),
    )


def _stats(found: Stats) -> str:
    parts = [section(clean(found.project_name), table(_state(found), styles=("dim",), whole=True))]
    if found.by_type:
        parts.append(table(_counts(found.by_type), styles=("bold",), right=(1, 2, 3, 4)))
    if found.jobs:
        lines = [(age(run.finished_at), _title(run.name), _result(run)) for run in found.jobs]
        parts.append(section(translate("Latest background jobs"), table(lines, styles=("dim",))))
    return "\n\n".join(parts)


def _state(found: Stats) -> list[tuple[str, str]]:
    from holdfast.interfaces.messages import text_of

    totals = found.totals
    memories = translate_count(totals["memories"] - totals["messages"], "{n} memory", "{n} memories")
    messages = translate_count(totals["messages"], "{n} message", "{n} messages")
    projects = translate_count(totals["projects"], "{n} project", "{n} projects")
    documents = translate_count(found.documents, "{n} document", "{n} documents")
    chunks = translate_count(found.chunks, "{n} chunk", "{n} chunks")
    model = found.embedder or translate("none, keyword search only")
    return [
        (translate("folder"), clean(found.root)),
        (translate("documents"), f"{documents}, {chunks}"),
        *_code(found.code),
        (translate("database"), f"{clean(found.db)}, {size(found.bytes)}"),
        (translate("whole database"), f"{memories}, {messages}, {projects}"),
        (translate("model"), clean(model)),
        *_vectors(found),
        *([(translate("problem"), clean(text_of(found.problem)))] if found.problem else []),
        (translate("background"), _running(found.background) if found.background else translate("idle")),
        *_llm_usage(found.llm),
    ]


def _code(code: CodeIndexState) -> list[tuple[str, str]]:
    """Returns the size and state of the code index; no row if the project was never indexed."""
    if code.indexed_at is None:
        return []
    counts = [
        translate_count(code.files, "{n} file", "{n} files"),
        translate_count(code.symbols, "{n} symbol", "{n} symbols"),
        translate_count(code.edges, "{n} dependency", "{n} dependencies"),
    ]
    stale = translate_count(code.stale, "{n} file waiting to be indexed", "{n} files waiting to be indexed")
    when = translate("indexed {when}", when=age(code.indexed_at))
    return [(translate("code"), ", ".join([*counts, stale if code.stale else when]))]


def _vectors(found: Stats) -> list[tuple[str, str]]:
    """Returns the number of vectors by size, and the number of passages that wait for one or for a better one."""
    sizes = {
        "static": translate("static {n}", n=number(found.vectors.get("static", 0))),
        "small": translate("small {n}", n=number(found.vectors.get("small", 0))),
        "base": translate("base {n}", n=number(found.vectors.get("base", 0))),
        "single": number(found.vectors.get("single", 0)),
    }
    waiting = translate_count(
        found.waiting, "{n} passage waiting for its embedding", "{n} passages waiting for their embedding"
    )
    improvable = translate_count(
        found.improvable, "{n} passage waiting for a better embedding", "{n} passages waiting for a better embedding"
    )
    counted = ", ".join(sizes[name] for name in found.vectors)
    pending = [text for text, count in ((waiting, found.waiting), (improvable, found.improvable)) if count]
    rows = [(translate("vectors"), counted)] if counted else []
    return [*rows, *([(translate("embeddings"), ", ".join(pending))] if pending else [])]


def _llm_usage(llm: DailyUsage) -> list[tuple[str, str]]:
    """Returns the calls to the language model today; no row if there were none."""
    if not (llm.calls or llm.refused):
        return []
    limits = {name: number(getattr(llm, name)) for name in ("calls", "most_calls", "tokens", "most_tokens")}
    text = translate("{calls} of {most_calls} calls, {tokens} of {most_tokens} tokens today", **limits)
    refused = translate_count(llm.refused, "{n} call refused", "{n} calls refused")
    return [(translate("language model"), f"{text}, {refused}" if llm.refused else text)]


def _counts(by_type: Iterable[TypeCount]) -> list[tuple[str, ...]]:
    head = (
        translate("type"),
        translate("active"),
        translate("replaced"),
        translate("forgotten"),
        translate("to review"),
        translate("newest"),
    )
    columns = ("believed", "superseded", "forgotten", "to_review")
    return [head, *((row.type, *(number(getattr(row, name)) for name in columns), age(row.newest)) for row in by_type)]


def _title(job: str) -> str:
    from holdfast.interfaces.messages.upkeep_messages import JOB_TITLES

    return translate(JOB_TITLES[job]) if job in JOB_TITLES else clean(job)


def _result(run: JobRun) -> str:
    return _detail(run.detail) if run.outcome != FAILED else translate("failed: {why}", why=_detail(run.detail))


def _running(background: Mapping[str, Any]) -> str:
    """Formats what the background process does at the moment."""
    job = background.get("job")
    title = _title(str(job)) if job else translate("running")
    if "of" in background:
        return f"{title}, {translate('{done} of {all}', done=number(background['done']), all=number(background['of']))}"
    counted = [_named(name, value) for name, value in background.items() if value and isinstance(value, int)]
    return clean(", ".join([title, *counted]))


def _detail(detail: Mapping[str, Any]) -> str:
    """Formats the result of a job in one line, as it was returned or as it was stored; counts of zero are left out."""
    from holdfast.interfaces.messages.upkeep_messages import NOT_SHOWN

    counts = {name: value for name, value in detail.items() if isinstance(value, int) and name not in NOT_SHOWN}
    # A job that did something needs no reason; one that did nothing says why.
    hidden = NOT_SHOWN if not any(counts.values()) else (*NOT_SHOWN, "why")
    shown = ((name, value) for name, value in detail.items() if name not in hidden and value not in (0, None))
    return clean(", ".join(_named(name, value) for name, value in shown)) or translate("nothing to do")


def _named(name: str, value: Any) -> str:
    from holdfast.core.reason import Reason
    from holdfast.interfaces.messages import text_of, text_of_stored
    from holdfast.interfaces.messages.upkeep_messages import COUNTS

    if isinstance(value, int):
        return f"{translate(COUNTS[name]) if name in COUNTS else name} {number(value)}"
    return text_of(value) if isinstance(value, Reason) else text_of_stored(value)


def _findings(health: Health) -> str:
    from holdfast.interfaces.messages import text_of

    lines = [paint(translate("Repaired: {what}.", what=clean(text_of(repair))), "cyan") for repair in health.repairs]
    widest = max(width(translate(_CHECKS[finding.check])) for finding in health.findings)
    for finding in health.findings:
        mark, style = _MARKS[finding.level]
        rows = [(f"{translate(_CHECKS[finding.check]):<{widest}}", clean(text_of(finding.detail)))]
        if finding.hint and finding.level is not HealthLevel.GOOD:
            rows.append(("", clean(text_of(finding.hint))))
        lines.append(paint(mark, style) + table(rows, whole=True)[1:])
    return "\n".join([*lines, "", _verdict(health)])


def _verdict(health: Health) -> str:
    if not health.sound:
        return paint(translate("Problems found: see the lines marked ✗."), "red")
    if any(finding.level is HealthLevel.WARNING for finding in health.findings):
        return paint(translate("The database is sound; see the lines marked !."), "yellow")
    return paint(translate("No problems found."), "green")


def _done(done: Mapping[str, Any]) -> str:
    from holdfast.interfaces.messages import text_of

    if "skipped" in done:
        return f"{text_of(done['skipped'])}."
    return table([(name, _detail(result)) for name, result in done.items()], styles=("bold",), indent=0)


def _model_rows(found: Iterable[InstalledModel], chosen: str) -> str:
    lines = [
        (
            "*" if _is_chosen(model, chosen) else "",
            clean(model.name),
            translate("{n} dimensions", n=model.dimensions),
            size(model.bytes),
            translate("bundled") if model.bundled else clean(model.revision[:12]),
        )
        for model in found
    ]
    text = translate("Setting embedder: {chosen}", chosen=clean(chosen))
    return table(lines, styles=("green", "bold"), right=(3,), indent=0) + "\n" + paint(text, "dim")


def _is_chosen(model: InstalledModel, chosen: str) -> bool:
    is_default = model.bundled and model.name not in ("static", "base")
    return chosen in (model.name, str(model.folder)) or (is_default and chosen in ("auto", "bundled"))
