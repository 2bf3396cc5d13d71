"""Finds the registered project of an identity. Every hook imports this module, so it imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from holdfast.system.project import ProjectIdentity


def match_project(identity: ProjectIdentity, rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The project with the same marker, remote or common directory; outside git, with the same folder."""
    for value, column in ((identity.marker, "id"), (identity.remote, "remote"), (identity.common_dir, "common_dir")):
        for row in rows:
            # An id made from a remote can be guessed: a marker in downloaded files must not claim that project.
            claims = column == "id" and row["remote"] not in (None, identity.remote)
            if value is not None and row[column] == value and not has_other_remote(identity, row) and not claims:
                return row
    if identity.common_dir is None:
        # A folder may be named like another one with a user.
        place = (None, identity.root, person_of(identity))
        return next((row for row in rows if (row["common_dir"], row["root"], row["person_id"]) == place), None)
    return None


def person_of(identity: ProjectIdentity) -> str:
    """The id of the project with the memories of the person, which hold in all of their projects."""
    return f"::{identity.user}"


def has_other_remote(identity: ProjectIdentity, row: Mapping[str, Any]) -> bool:
    """Whether both have different remotes: then they are different projects, whatever else agrees."""
    moved_in_place = identity.common_dir is not None and row["common_dir"] == identity.common_dir
    return None not in (identity.remote, row["remote"]) and identity.remote != row["remote"] and not moved_in_place
