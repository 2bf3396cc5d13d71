"""Recognises clauses that ask for one piece of work, such as `merge the branch`, and state no rule."""

from __future__ import annotations

from holdfast.learn.keep import cues

_ONE_OFF = cues.beginning(
    "please  just  then  so  and  now  ok(?:ay)?  also  first",
    r"""
    merge  commit  push  pull  rebase  revert  rename  delete  remove  move  fix  update  open  close  rerun  restart
    install  run  add  make  write  create  change  implement  refactor  finish  check  look  review  release  tag  bump
    fusionne[rz]?  pousse[rz]?  corrige[rz]?  renomme[rz]?  supprime[rz]?  ajoute[rz]?  lance[rz]?  crée[rz]?
    """,
)


def is_one_off(clause: str) -> bool:
    """Does a clause ask for one piece of work, and state no rule?"""
    return begins_like_one_off(clause) and not is_rule(clause)


def begins_like_one_off(clause: str) -> bool:
    """Does a clause begin with an order for one piece of work?"""
    return _ONE_OFF.match(cues.plain(clause.strip())) is not None


def is_rule(clause: str) -> bool:
    """Has a clause words that bind every time?"""
    text = cues.plain(clause)
    return any(sign.search(text) for sign in (cues.BINDS, cues.STRONG, cues.LASTS))
