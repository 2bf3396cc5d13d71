"""Distinguishes secrets from other values: placeholders, code, words."""

from __future__ import annotations

from holdfast.intake.secrets.secret_patterns import compiled

_NAMES_AS_VALUES = frozenset("password passwd pass pwd secret token key user username port mdp motdepasse".split())
_STAND_IN = (
    r"^[$@&%][a-z_]\w*%?$|^\$[{(]|^[<{(]|\$\{|\{\{|\*{3}|x{4}|^x+$|\.\.\.|…|\[secret:"
    r"|(?:^|[-_. ])(?:example|placeholder|redacted|dummy|fake|sample|todo)(?:$|[-_. \d])"
    r"|^(?:your|insert|replace|enter|put|change)"
    r"(?:[-_. ]|this|here|me(?!\w{3})|it\b|with|your|api|key|pass|token|secret)"
    r"|^(?:my|the|some|an?)[-_. ]|[-_. ]here$|example(?:key)?$|^redacted|undefined|environ|getenv|process\.env"
    r"|^env[.\[]|^secrets?[.\[]|^(?:null|none|nil|true|false)\b"
)
_CODE = (
    r"^[a-z_][\w.]*[(\[{]|::|->|=>|&&|\|\||^[a-z_]+\d{0,2}(?:\??\.[a-z_]+\d{0,2})+!?$|^\.{0,2}/|^~/|^[a-z]:\\|^--"
    r"|^[\w.+-]+@[\w-]+\.[\w.]+$|^[\w.-]+(?:/[\w.-]+)+\.[a-z]{1,5}$|^v?\d+(?:[.:/,x-]\d+)+$"
    r"|^\d+(?:ms|s|m|h|d|px|[kmg]i?b|min|chars?|characters|k|%|\+)$|^\d{4}-\d\d-\d\d"
    r"|^(?:o?auth2?|sha-?\d+|md5|base64|utf-?8|aes-?\d+|[hre]s\d{3}|ed25519|argon2i?d?|pbkdf2|http2|x509"
    r"|1password|ipv[46]|p256|(?:\w+\.)?ed25519\w*|cram-md5|secp256\w+|hmac-?sha\d+|oauth2?[-.]?\w*|bcrypt\d*"
    r"|scrypt\d*)(?:[-_ ]based)?$"
)
# A variable with a name of a secret and a number: `password2`, `db_password2`, `newToken1`, but not `SuperSecret1`.
_VARIABLE = (
    r"^(?:[a-z_]\w*?_)?(?:pass(?:word|wd)?|pwd|secret|token|key|user|param|value)s?_?\d{0,2}$"
    r"|^[a-z]+(?:[A-Z][a-z]+)*(?:Pass(?:word|wd)?|Pwd|Secret|Token|Key|User|Param|Value)s?\d{0,2}$"
)
# What people choose although it has neither digits nor signs.
_COMMON = frozenset(
    "letmein iloveyou trustno qwertz qwertyuiop azerty sunshine princess football baseball superman batman welcome"
    " dragon monkey shadow master hunter killer soleil motdepasse doudou loulou hallo passwort schatz ficken geheim"
    " qwerty asdfgh asdfghjkl starwars whatever freedom".split()
)
_SIGN_INSIDE = r"[A-Za-z][@#$%^&!~*+]+[A-Za-z]"
_JOINED_WORDS = r"^[a-z]{4,}(?:-[a-z]{4,}){2,}$"


def is_name(value: str) -> bool:
    """Is it a name instead of a value, as in `user:password@host`?"""
    return value.lower() in _NAMES_AS_VALUES


def is_stand_in(value: str) -> bool:
    """Is it a placeholder, a variable, or a word instead of a value?"""
    return compiled(_STAND_IN).search(value.lower()) is not None


def is_crossed_out(value: str) -> bool:
    """Does it end in x, * or 0, or in EXAMPLE, as examples in documentation do?"""
    end = value[-12:].lower()
    return (len(set(end) - set("x*.-_0")) < 2 and end[-1:] in "x*.0") or end.endswith(("example", "examplekey"))


def is_code(value: str) -> bool:
    """Is it an expression, a path, an address, a quantity, a date or the name of an algorithm?"""
    return compiled(_CODE).search(value.lower()) is not None


def is_password(value: str, *, quoted: bool = False) -> bool:
    """Could a person have chosen it as a password? Words and names of variables do not count."""
    core = value.strip("!?.,;:-*")
    if core.isdigit():
        return len(core) >= 6
    if is_mixed(core):
        return quoted or not compiled(_VARIABLE).match(core)
    if core.lower() in _COMMON or compiled(_SIGN_INSIDE).search(core):
        return True
    return _is_shuffled(core) or compiled(_JOINED_WORDS).match(core) is not None


def is_clear_password(value: str) -> bool:
    """Is it a password even without a sign such as `=` before it?"""
    core = value.strip("!?.,;:-*")
    if len(core) < 6 or not is_password(value) or core.isdigit():
        return False
    digits = sum(map(str.isdigit, core))
    return digits > 1 or any(map(str.isupper, core)) or not core.isalnum() or bool(digits and len(core) > 7)


def is_passphrase(value: str) -> bool:
    """Is it several plain words, none of which a sentence needs?"""
    words = value.split()
    if not 3 <= len(words) <= 24 or not all(word.isalpha() and word.islower() and len(word) > 2 for word in words):
        return False
    return not _SENTENCE_WORDS.intersection(words)


_SENTENCE_WORDS = frozenset(
    "the and for with your must should from this that are was will not has have can may used use using enter into than"
    " least characters required when where which what invalid wrong incorrect does match too short long please password"
    " les des une est pour avec votre dans doit que qui pas sur par mot passe der die das und ist für mit ein eine muss"
    " nicht den dem bitte passwort".split()
)


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
    """Is at least this share of it made of words? A word has a vowel and few consonants in a row."""
    words = (word for word in compiled(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}").findall(value) if _is_word(word))
    return sum(map(len, words)) >= share * len(value)


def _is_word(letters: str) -> bool:
    low = letters.lower()
    return compiled(r"[aeiouy]").search(low) is not None and compiled(r"[^aeiouy]{5}").search(low) is None
