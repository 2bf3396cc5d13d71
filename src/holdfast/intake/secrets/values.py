"""Distinguishes secrets from other values: placeholders, code, words."""

from __future__ import annotations

from holdfast.intake.secrets.patterns import compiled

_NAMES_AS_VALUES = frozenset("password passwd pass pwd secret token key user username port mdp motdepasse".split())
_STAND_IN = (
    r"^[$@&%][a-z_]\w*%?$|^\$[{(]|^[<{(]|\$\{|\{\{|\*{3}|x{4}|^x+$|\.\.\.|\[secret:|your|example|change.?me|placeholder"
    r"|redact|dummy|fake|sample|insert|replace|todo|undefined|environ|getenv|process\.env|^env[.\[]|secrets?[.\[]"
    r"|^(?:null|none|nil|true|false)\b|…"
)
_CODE = (
    r"^[a-z_][\w.]*[(\[{]|::|->|=>|&&|\|\||^[a-z_]\w*(?:\??\.[a-z_]\w*)+!?$|^\.{0,2}/|^~/|^[a-z]:\\|^--|^[\w.+-]+@[\w-]+\.[\w.]+$"
    r"|^[\w.-]+(?:/[\w.-]+)+\.[a-z]{1,5}$|^v?\d+(?:[.:/,x-]\d+)+$|^\d+(?:ms|s|m|h|d|px|[kmg]i?b|min|chars?|characters|k|%|\+)$"
    r"|^\d{4}-\d\d-\d\d|^(?:o?auth2?|sha-?\d+|md5|base64|utf-?8|aes-?\d+|[hre]s\d{3}|ed25519|argon2i?d?|pbkdf2|http2|x509"
    r"|1password|ipv[46]|p256|secp256\w+|hmac-?sha\d+)$"
)

# A variable name with a number: `password2`, but not `password123`.
_VARIABLE = r"(?:pass|pwd|secret|token|key|user|param)(?!.*\d{3}$)"


def is_name(value: str) -> bool:
    """Is it a name instead of a value, as in `user:password@host`?"""
    return value.lower() in _NAMES_AS_VALUES


def is_stand_in(value: str) -> bool:
    """Is it a placeholder, a variable, or a word instead of a value?"""
    return compiled(_STAND_IN).search(value.lower()) is not None


def is_crossed_out(value: str) -> bool:
    """Does it end in x, * or 0, as examples in documentation do?"""
    return len(set(value[-12:].lower()) - set("x*.-_0")) < 2 and value[-1:].lower() in "x*.0"


def is_code(value: str) -> bool:
    """Is it an expression, a path, an address, a quantity, a date or the name of an algorithm?"""
    return compiled(_CODE).search(value.lower()) is not None


def is_password(value: str, *, quoted: bool = False) -> bool:
    """Could a person have chosen it as a password? Words and names of variables do not count."""
    core = value.strip("!?.,;:-*")
    if core.isdigit():
        return len(core) >= 6
    if is_mixed(core):
        return quoted or not (core.isidentifier() and compiled(_VARIABLE).search(core.lower()))
    return compiled(r"[A-Za-z][@#$%^&!~*+]+[A-Za-z]").search(core) is not None or _is_shuffled(core)


def is_random(value: str) -> bool:
    """Does it look randomly generated?"""
    if len(value) < 16:
        return (
            len(value) >= 8
            and _has_digit(value)
            and (_is_shuffled(value) or (not value.isalnum() and not _is_wordy(value)))
        )
    if not is_mixed(value):
        return _is_shuffled(value)
    return not _is_wordy(value, 0.85 if len(compiled(r"\d+").findall(value)) >= 3 else 0.6)


def is_mixed(value: str) -> bool:
    """Does it have digits as well as letters?"""
    return _has_digit(value) and any(map(str.isalpha, value))


def _has_digit(value: str) -> bool:
    return any(map(str.isdigit, value))


def _is_shuffled(value: str) -> bool:
    """Do upper and lower case alternate more often than in names?"""
    return len(compiled(r"[a-z][A-Z]").findall(value)) >= 3 and not _is_wordy(value)


def _is_wordy(value: str, share: float = 0.6) -> bool:
    """Is at least this share of it made of words?"""
    words = compiled(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}").findall(value)
    return sum(map(len, words)) >= share * len(value)
