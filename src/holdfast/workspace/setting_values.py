"""Checks values of settings that only the part of the program that uses them can read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from holdfast.core.settings import Settings


def check_value(settings: Settings, name: str) -> None:
    """Raises InvalidSettings or InvalidInput if the value of this setting cannot be used."""
    check = _CHECKS.get(name)
    if check is not None:
        check(settings)
    elif name.endswith("_url") and getattr(settings, name):
        from holdfast.models.endpoint import check_url

        check_url(getattr(settings, name))


def _check_schedule(settings: Settings) -> None:
    from holdfast.container.job_table import JOBS
    from holdfast.upkeep.schedule import read

    read(settings.schedule, JOBS)


def _check_methodology(settings: Settings) -> None:
    from holdfast.system.methodology_file import methodology_of

    methodology_of(settings.methodology)


def _check_documents(settings: Settings) -> None:
    from holdfast.documents.index_rules import chosen

    chosen(settings.index_preset, settings.index_roots, settings.index_ignore)


def _check_shorthand(settings: Settings) -> None:
    from holdfast.recall.query.shorthand import shorthand

    shorthand(settings.shorthand)


def _check_embedder(settings: Settings) -> None:
    from holdfast.models.choice import check_embedder

    check_embedder(settings.embedder)


def _check_program(settings: Settings) -> None:
    if settings.llm_command:
        from holdfast.llm.providers import check_command

        check_command(settings)


_CHECKS: Mapping[str, Callable[[Settings], None]] = {
    "embedder": _check_embedder,
    "llm_command": _check_program,
    "schedule": _check_schedule,
    "methodology": _check_methodology,
    "index_preset": _check_documents,
    "index_roots": _check_documents,
    "index_ignore": _check_documents,
    "shorthand": _check_shorthand,
}
