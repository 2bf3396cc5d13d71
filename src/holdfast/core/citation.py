"""How memories are cited in prompts. Hooks import this module, so it imports nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CITATION_LENGTH = 40
# Injected text is wrapped in this tag, so that what reads the session later can tell it from what was said.
TAG = "holdfast-memory"
# How tags begin that agents and models give a meaning to; so do all with a hyphen, an underscore or a colon.
_FRAMES = (
    "system",
    "user",
    "assistant",
    "human",
    "developer",
    "tool",
    "function",
    "instruction",
    "important",
    "invoke",
)


def cite(content: str) -> str:
    """Shortens a text to at most forty characters, at a word boundary if possible."""
    line = " ".join(content.split())
    if len(line) <= CITATION_LENGTH:
        return line
    cut = line[: CITATION_LENGTH - 1]
    return (cut[: cut.rfind(" ")] if " " in cut[20:] else cut).rstrip(" ,;:.-") + "…"


def memory_line(short_id: str, label: str, text: str, about: Iterable[str]) -> str:
    """One memory as a line of a prompt: its citation, its text, and what is known about it."""
    return f"- [Memory #{short_id}: {label_of(label)}] {one_line(text)} ({one_line(' · '.join(about))})"


def plain(text: str) -> str:
    """Removes control, invisible and direction-changing characters; keeps line breaks and tabs."""
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() or ch in "\n\t" else " " if ch.isspace() else "" for ch in text)


def unframed(text: str) -> str:
    """The plain text, without what could pass for the frame around memories: tags that agents give a meaning to, and
    citations. Invisible characters go first, for one of them may hide a frame.
    """
    text = plain(text)
    for written in ("[Memory", "[memory", "[MEMORY"):
        text = text.replace(written, f"({written[1:]}")
    if "<" not in text:
        return text
    first, *rest = text.split("<")
    return first + "".join(f"< {part}" if _is_frame(part) else f"<{part}" for part in rest)


def _is_frame(part: str) -> bool:
    """Does this text after "<" begin a tag such as system-reminder? Tags of HTML, types of code and comparisons, which
    have a space there, do not count.
    """
    if part[:1].isspace():
        return False
    name = part.lstrip("/ ").lower()
    length = next((at for at, ch in enumerate(name) if not (ch.isalnum() or ch in "-_:")), len(name))
    return name.startswith(_FRAMES) or any(ch in name[:length] for ch in "-_:")


def label_of(text: str) -> str:
    """The text in a citation, without the brackets that would end it."""
    return one_line(text).replace("]", ")").replace("[", "(")


def one_line(text: str) -> str:
    """Puts the unframed text on one line, so that it cannot pass for a heading or a new speaker."""
    return " ".join(unframed(text).split())


def indented(text: str) -> str:
    """Puts the lines of the unframed text below a line of a prompt: indented, none can pass for a heading or a new
    speaker.
    """
    lines = [line.rstrip() for line in unframed(text).expandtabs(4).splitlines() if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "".join(f"\n    {line[margin:]}" for line in lines)


def wrapped(text: str) -> str:
    """Wraps a text for a prompt in our tag; a memory that contains the tag cannot close it."""
    return f"<{TAG}>\n{text.replace(f'{TAG}>', f'{TAG} >')}\n</{TAG}>"
