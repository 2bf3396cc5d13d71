"""Finds what a new project has: documents and code to index, instruction files and sessions of agents to import."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.agents.programs import all_programs
from holdfast.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from holdfast.agents.session_folder import SessionFolder
    from holdfast.documents.index_rules import DocumentRules


@frozen
class ProjectSurvey:
    """What a project has that memory does not know yet: documents, code, instruction files, sessions of agents."""

    documents: int
    code: int
    instructions: tuple[str, ...]
    sessions: tuple[SessionFolder, ...]


def survey(
    root: str,
    home: str,
    rules: DocumentRules,
    indexed: int,
    code: int,
    is_new: Callable[[str], bool],
    known_sessions: Collection[str],
) -> ProjectSurvey:
    """Finds what memory does not know yet. `is_new` says whether an instruction file has new statements."""
    from holdfast.documents.document_files import discover

    documents = len(discover(root, rules).files)
    files = {name: os.path.join(root, name) for program in all_programs() for name in program.instructions}
    instructions = tuple(name for name, path in files.items() if os.path.isfile(path) and is_new(path))
    folders = [program.sessions(root, home, known_sessions) for program in all_programs() if program.sessions]
    return ProjectSurvey(max(0, documents - indexed), code, instructions, tuple(one for one in folders if one.sessions))
