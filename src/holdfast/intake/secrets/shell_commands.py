"""Passwords in command lines, connection strings and calls: kind, anchors, pattern, check.

`{0,120}` bounds the options between a command and its password.
"""

from __future__ import annotations

from holdfast.intake.secrets.checks import Rule, is_command_password, is_quoted_password, is_random_token

_WORD = r"([^\s\"'$<`-][^\s\"'`]{4,120})"
_QUOTED = r"[\"']([^\s\"']{5,120})[\"']"

COMMANDS: tuple[Rule, ...] = (
    (
        "password",
        ("mysql", "mariadb"),
        r"(?:mysql|mariadb)[^\n|;]{0,120} -p([^\s\"'$<-]\S{4,80})",
        is_command_password,
    ),
    ("password", ("sshpass",), rf"sshpass -p ?[\"']?{_WORD}", is_command_password),
    ("password", ("identified",), rf"(?i:identified(?: with \w{{1,40}})? by) {_QUOTED}", is_quoted_password),
    ("password", ("login",), r"login \S{1,80}\s{1,4}password (\S{5,120})", is_command_password),
    (
        "password",
        ("docker login",),
        rf"docker login [^\n|;]{{0,120}}(?:-p|--password)[ =][\"']?{_WORD}",
        is_command_password,
    ),
    ("password", ("redis-cli",), r"redis-cli [^\n|;]{0,120}-a (\S{6,120})", is_command_password),
    (
        "password",
        ("curl", "wget"),
        r"(?:curl|wget) [^\n|;]{0,120}(?:-u|--user)[ =]?[\"']?[\w.@+-]{1,80}:([^\s\"':$<]{5,120})",
        is_command_password,
    ),
    ("password", ("http",), r"https? (?:-a|--auth)[ =]?[\"']?[\w.@+-]{1,80}:([^\s\"':$<]{5,120})", is_command_password),
    ("password", ("pass:",), r"-pass(?:in|out)? pass:([^\s\"']{5,120})", is_command_password),
    ("password", ("zip ", "7z "), rf"(?:zip|7z)[^\n|;]{{0,80}} -[pP] ?[\"']?{_WORD}", is_command_password),
    (
        "password",
        ("htpasswd",),
        rf"htpasswd -\w{{0,6}}b\w{{0,6}} \S{{1,120}} \S{{1,80}} [\"']?{_WORD}",
        is_command_password,
    ),
    ("password", ("chpasswd",), r"[\w.-]{1,40}:([^\s\"':]{5,120})[\"']? ?\| ?(?:sudo )?chpasswd", is_command_password),
    ("password", ("ssh-keygen",), rf"ssh-keygen [^\n|;]{{0,120}}-[NP] {_QUOTED}", is_quoted_password),
    (
        "password",
        ("smbclient", "mount.cifs"),
        r"(?:smbclient|mount\.cifs) [^\n|;]{0,120}-U [\"']?[\w.\\-]{1,60}%([^\s\"']{5,120})",
        is_command_password,
    ),
    (
        "password",
        ("sqlplus", "jdbc:oracle"),
        r"(?:sqlplus (?:-\w+ ){0,3}|jdbc:oracle:thin:)[\"']?[\w$#]{1,40}/([^\s\"'@/]{5,80})@",
        is_command_password,
    ),
    ("password", ("ldap",), rf"ldap\w+ [^\n|;]{{0,160}} -w [\"']?{_WORD}", is_command_password),
    (
        "password",
        ("convertto-securestring",),
        rf"(?i:ConvertTo-SecureString)(?: -String)? {_QUOTED}",
        is_quoted_password,
    ),
    (
        "password",
        ("auth",),
        r"(?i:auth)\w{0,10} ?[=(:] ?[\[(]?[\"'][^\"'\n]{1,60}[\"'], ?[\"']([^\s\"']{5,120})[\"']",
        is_quoted_password,
    ),
    # `credentials: bob / …` and `bob:…` in three languages.
    (
        "password",
        ("cred", "login", "logins", "identifiant", "zugangsdaten", "anmeldedaten", "log in", "anmelden", "connect"),
        r"(?i:credentials?|creds|logins?|identifiants?|zugangsdaten|anmeldedaten|log in|anmelden|connect\w{0,4})"
        r"(?i: (?:with|mit|avec|are|sind|sont|is))?[ \u00a0]{0,2}[:=]?[ \u00a0]{0,2}[\"'`(]?[\w.@+-]{1,60}"
        r"[\"'`]?(?: ?[/|] ?|:(?!//))[\"'`]?([^\s\"'`/|]{6,80})",
        is_command_password,
    ),
    # A line of ~/.pgpass: host:port:database:user:password.
    (
        "password",
        (":5432:", ":5433:", ":6432:", ":*:"),
        r"(?m)^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w*-]{1,60}:[\w.*-]{1,60}:([^\s:\"'/]{5,120})$",
        is_command_password,
    ),
    (
        "token",
        ("_pat=", "_pat:", "_pat ", '_pat"', " pat ", " pat:", "pat="),
        r"(?i:(?<![a-z])pat)\b[^\n]{0,24}?(?<![\w-])([A-Za-z0-9_-]{24,})(?![\w-])",
        is_random_token,
    ),
    ("password", ("sudo -s",), r"(?:^|\s)[\"']?([^\s\"']{6,80})[\"']? ?\| ?sudo -S", is_command_password),
)
