"""Checks that rule out look-alikes of secrets. Each gets the text and the start and end of the secret."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.intake.secrets.secret_patterns import compiled
from holdfast.intake.secrets.secret_values import (
    is_code,
    is_crossed_out,
    is_mixed,
    is_name,
    is_password,
    is_random,
    is_stand_in,
)

Check = Callable[[str, int, int], bool]
# Kind, literal anchors in lower case, pattern, check. The secret is the first group of the pattern, or the whole match
# if it has no group.
Rule = tuple[str, tuple[str, ...], str, Check]

CARD_WORDS = ("card", "visa", "amex", "carte", "cvv", "cvc", "tarjeta", "karte", "carta", "cartão")


def is_token(text: str, start: int, end: int) -> bool:
    """Is it a word of its own, and not crossed out as in documentation?"""
    before = text[max(0, start - 3) : start]
    alone = not (before[-1:].isascii() and before[-1:].isalnum()) or before[-2:] in ("\\n", "\\r", "\\t")
    return (alone or before[:1] == "%") and not is_crossed_out(text[start:end])


def is_whole(text: str, start: int, end: int) -> bool:
    """Is it not crossed out? Letters may precede it directly."""
    return not is_crossed_out(text[start:end])


def is_mixed_token(text: str, start: int, end: int) -> bool:
    return is_token(text, start, end) and is_mixed(text[start:end])


def is_random_token(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return is_mixed_token(text, start, end) and is_random(value) and not is_stand_in(value) and not is_code(value)


def is_shuffled_token(text: str, start: int, end: int) -> bool:
    """Is it random, with capitals and small letters?"""
    value = text[start:end]
    shuffled = compiled(r"[a-z]\d|\d[a-z]|[a-z][A-Z]|[A-Z]\d|\d[A-Z]").findall(value)
    return is_random_token(text, start, end) and len(shuffled) >= 4 and any(map(str.isupper, value))


def is_key_block(text: str, start: int, end: int) -> bool:
    """Is there key material between the two lines? If not, the text only mentions such a block."""
    body = text[start:end].removeprefix("-----BEGIN").partition("-----")[2].partition("-----END")[0]
    lines = body.replace("\\n", " ").replace("\\r", " ").split()
    return any(len(line) >= 16 for line in lines) or (len(lines) == 1 and sum(map(str.isalnum, body)) >= 6)


def is_url_password(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    is_port = compiled(r"\d{1,5}[?#]").match(value)
    return not is_name(value) and not is_stand_in(value) and not is_port


def is_command_password(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return is_password(value) and not is_stand_in(value) and not is_code(value)


def is_quoted_password(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    return is_password(value, quoted=True) and not is_stand_in(value) and not is_code(value)


def is_basic_auth(text: str, start: int, end: int) -> bool:
    """Is it a name and a password in base64?"""
    from base64 import b64decode
    from binascii import Error

    try:
        return b":" in b64decode(text[start:end] + "==") and is_token(text, start, end)
    except (Error, ValueError):
        return False


def is_card(text: str, start: int, end: int) -> bool:
    digits = [int(c) for c in text[start:end] if c.isdigit()]
    doubled = [d if at % 2 == 0 else d * 2 - 9 * (d > 4) for at, d in enumerate(reversed(digits))]
    if sum(doubled) % 10 or len(set(digits)) < 3:
        return False
    grouped = len(digits) != end - start
    near = text[max(0, start - 60) : start].lower()
    return grouped or any(word in near for word in CARD_WORDS)
