"""Tells memories about a person, which follow them to all of their projects, from knowledge of one project."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from holdfast.core.admission import Candidate
from holdfast.core.memory import USER_TAUGHT

if TYPE_CHECKING:
    from holdfast.core.memory import Memory

_READ = 400
_FIRST_PERSON = re.compile(r"\b(?:i|me|my|je|j'|moi|mon|ma|mes)\b", re.IGNORECASE)
# Says what the person likes about something at hand, not in general.
_AT_HAND = re.compile(r"\b(?:prefer|like|love|hate)s? (?:the|this|that|these|those|it|how|your)\b", re.IGNORECASE)
# A person taught it, or it was extracted from a person's messages.
_OF_PERSON = (USER_TAUGHT, "observer_inferred")


def follows_person(candidate: Candidate) -> bool:
    """Is a candidate about the person, not about the project? What the caller says counts first.

    By default, preferences and facts about the person are, if the person stated them and they name nothing of the
    project. What a program stores on its own stays in the project: a text that it was made to believe must not get into
    all of the person's projects.
    """
    if candidate.visibility is not None:
        return candidate.visibility == "personal"
    return is_of_person(candidate) and is_about_person(candidate)


def is_of_person(candidate: Candidate) -> bool:
    """Did the person state it, and nothing else?"""
    return candidate.source in _OF_PERSON and candidate.taint is None and not candidate.needs_review


def needs_review(candidate: Candidate, personal: bool) -> bool:
    """Must a person review it? By default, if it would hold in all projects and the person did not state it."""
    if candidate.needs_review is not None:
        return candidate.needs_review
    return personal and not is_of_person(candidate)


def is_about_person(statement: Candidate | Memory) -> bool:
    """Does a preference or fact say something about the person and name nothing of the project?"""
    if statement.files or statement.modules or statement.scope != "global" or statement.work_unit is not None:
        return False
    if statement.type not in ("preference", "fact"):
        return False
    content = statement.text if isinstance(statement, Candidate) else statement.content
    text = content[:_READ].replace("’", "'")
    about_person, of_project = _patterns()
    if of_project.search(text):
        return False
    # What a person intends to do is usually work on the project.
    intends = str(statement.attributes.get("slot", "")).startswith("will ")
    said = statement.attributes.get("subject") == "user" and not intends
    return statement.type == "preference" or said or about_person.match(text) is not None


def speaks_of_work(type: str, text: str) -> bool:
    """Does somebody who works with an agent speak of the work, not of themselves?

    `I don't see a prompt any more`, `I like the new label`: only what says who the person is, how they live or what
    they prefer in general holds in their other projects too. A preference such as `answer briefly` names no person.
    """
    plain = text[:_READ].replace("’", "'")
    if _patterns()[0].match(plain) is not None:
        return _AT_HAND.search(plain) is not None
    return type != "preference" or _FIRST_PERSON.search(plain) is not None


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The beginning of a statement about a person, and what names something of a project."""
    import json
    from importlib import resources

    file = resources.files("holdfast.intake").joinpath("data/about_person.json")
    words = {name: "|".join(map(re.escape, listed)) for name, listed in json.loads(file.read_text("utf-8")).items()}
    person = (
        rf"(?:i|the user|user)(?:'m| am| is|'ve| have| has)? (?:\w+ly )?(?:{words['what a person does']})\b"
        rf"|(?:my|the user's) (?:\w+ )?(?:{words['what a person has']})\b|(?:{words['said in French']})\b"
    )
    project = (
        rf"\b(?:this|our|your|the|ce|le) (?:{words['things of a project']})\b|\b(?:{words['words of a team']})\b"
        r"|\w/\w|\b[\w-]+\.(?:py|js|ts|tsx|go|rs|java|md|toml|json|ya?ml|sql|html|css)\b"
    )
    return re.compile(person, re.IGNORECASE), re.compile(project, re.IGNORECASE)
