"""Says which kind of secret a name denotes, in English, French, German and, for passwords, other languages."""

from __future__ import annotations

from holdfast.intake.secrets.secret_patterns import compiled

_FOREIGN_PASSWORDS = (
    "mot de passe|mots de passe|contraseña|contrasena|clave|senha|kennwort|wachtwoord|lösenord|hasło|parola"
    "|пароль|密码|密碼|口令|パスワード|비밀번호|code d'accès|code d’accès|code secret|phrase secrète|zugangscode"
    "|zugangswort|phrase de passe|clé wi-?fi|clé wpa2?|clé wep|clé de sécurité"
    "|(?:wlan|wi-?fi|wpa2?|netzwerk)-?schlüssel"
    "|(?:wlan|wi-?fi|wpa2?|network security)[ -]key"
)
_FOREIGN_KEYS = (
    "clé api|clé d'api|clé d’api|clé secrète|clé d'accès|clé d’accès|clé privée|clé de chiffrement|clé de signature"
    "|clé de licence|clé de session|clé ssh|clé du compte|clé maître|密钥|秘钥|秘密鍵"
)
_GERMAN_KEYS = r"(?<!primär)(?<!fremd)(?<!such)(?<!sortier)(?<!öffentlicher )(schlüssel|schluessel|geheimnis)"
# Parts of names of secrets, in lower case. No one may begin another.
STEMS = (
    *("pass", "pw", "psk", "mdp", "secret", "token", "jeton", "key", "cred", "auth", "code d", "phrase s"),
    *("schlüssel", "schluessel", "geheimnis", "zugangscode", "zugangswort", "kennwort", "wachtwoord", "clé "),
    *(
        "mot de passe",
        "mots de passe",
        "phrase de passe",
        "contraseña",
        "contrasena",
        "clave",
        "senha",
        "lösenord",
        "hasło",
        "parola",
    ),
    *("пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "密钥", "秘钥", "秘密鍵"),
)
# The rest of a foreign name after its stem: `code d'accès`, `clé de chiffrement`, `jeton d’accès`, `secret du client`.
RESTS = (
    r"['’]acc[èe]s|ecr[èe]te|api|d['’]api|d['’]acc[èe]s|de (?:chiffrement|signature|licence|session)|secr[èe]te"
    r"|priv[ée]e|ssh|du compte|ma[îi]tre| d['’]acc[èe]s| du client|wi-?fi|wpa2?|wep|de sécurité"
)

# Words that are ignored at the end of a name (`password_prod`), words before `token` that make it harmless
# (`page_token`), and words before `key` that make it a secret (`api_key`) or, in a constant, harmless (`CACHE_KEY`).
_IGNORED_AT_END = frozenset(
    "prod production dev development staging live test old new value default b64 base64 plain base main".split()
)
_BEFORE_NO_TOKEN = frozenset(
    "page next continuation cursor sync start end eos bos pad unk mask cancel cancellation stop design public".split()
)
_BEFORE_KEY = frozenset(
    "api access secret private encryption signing signature auth account master client service shared storage session"
    " licence license deploy admin app application webhook ssh hmac jwt aes root consumer subscription rest functions"
    " host write ingest instrumentation project server maps openai anthropic azure google preshared wallet mining bot"
    " integration routing stripe datadog sendgrid twilio mailgun cipher decryption wifi product activation"
    " serial".split()
)
_BEFORE_NO_KEY = frozenset(
    "public primary foreign cache sort partition hash row index group object s3 registry hot short arrow lookup dedupe"
    " idempotency unique natural join order field column map dict json translation i18n message event routing config"
    " setting settings option env variable property redis storage shortcut control ctrl alt meta shift enter"
    " press".split()
)
_PASSWORD_ENDS = ("password", "passwort", "passwd", "passphrase", "passcode", "pwd", "mdp", "psk", "userpw", "kennwort")
_KEY_ENDS = ("apikey", "accesskey", "secretkey", "privatekey", "authkey", "encryptionkey", "signingkey", "accountkey")
_SECRET_WORDS = frozenset("credential credentials creds secret secrets geheimnis".split())
_FOREIGN = rf"(?<![a-z])(?:({_FOREIGN_PASSWORDS})|{_FOREIGN_KEYS})$|{_GERMAN_KEYS}n?$"
_QUALIFIED = r"(?<=jeton) d['’]acc[èe]s$|(?<=secret) du client$"
_NAME_PARTS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+"


def _is_password(name: str, last: str, before: str) -> bool:
    # `PASS: TestLogin2` is the output of a test runner.
    if last.endswith(_PASSWORD_ENDS) or (last == "pass" and name.rpartition(" ")[2].lstrip("-") != "PASS"):
        return True
    return last == "pw" or (last == "code" and before in ("access", "pass"))


def kind_named(name: str) -> str | None:
    """The kind of secret that a name denotes (`password`, `token`, `secret` or `key`), or None."""
    name = compiled(_QUALIFIED).sub("", name)
    foreign = compiled(_FOREIGN).search(name.lower())
    if foreign:
        return "password" if foreign[1] else "key"
    words = [word.lower() for word in compiled(_NAME_PARTS).findall(name)]
    while words and (words[-1] in _IGNORED_AT_END or words[-1].isdigit()):
        words.pop()
    last, before = ([""] * 2 + words)[-1], ([""] * 2 + words)[-2]
    if _is_password(name, last, before):
        return "password"
    if last.endswith(("token", "jeton")) or (last == "auth" and before not in ("basic", "digest", "no", "use")):
        return "token" if before not in _BEFORE_NO_TOKEN else None
    if last.endswith(("secret", "geheimnis")) or last in _SECRET_WORDS:
        return "secret"
    return "key" if last.endswith(_KEY_ENDS) or (last == "key" and _is_secret_key(name, before)) else None


def _is_secret_key(name: str, before: str) -> bool:
    """Is `…key` a secret? In the name of an environment variable unless its first part says otherwise."""
    constant = name.rpartition(" ")[2].isupper() and "_" in name
    return before in _BEFORE_KEY or (constant and before not in _BEFORE_NO_KEY)
