"""Detection of secrets. They are built at run time from parts, so that no file of the repository contains one."""

from __future__ import annotations

import json
import random
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import Workspace
from holdfast.intake import secrets
from holdfast.intake.secrets import redact, scan

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "_-"
draw = random.Random(11)


@pytest.fixture(autouse=True)
def _same_values_in_every_order() -> None:
    """A test draws the same values whichever tests ran before it."""
    draw.seed(11)


def some(letters: str, count: int) -> str:
    """Random letters with at least one digit, capital and small letter, as in generated keys."""
    drawn = [draw.choice(letters) for _ in range(count)]
    drawn[1] = draw.choice([c for c in letters if c.isdigit()] or letters)
    drawn[-1] = draw.choice([c for c in letters if c.isalnum()])
    return "".join(drawn)


def jwt() -> str:
    return "ey" + "J" + some(URLSAFE, 33) + ".ey" + "J" + some(URLSAFE, 60) + "." + some(URLSAFE, 43)


TOKENS: dict[str, list[Callable[[], str]]] = {
    "openai-key": [
        lambda: "sk" + "-" + some(ALNUM, 48),
        lambda: "sk" + "-proj-" + some(URLSAFE, 60) + "T3Blbk" + "FJ" + some(URLSAFE, 60),
    ],
    "anthropic-key": [lambda: "sk" + "-ant-api03-" + some(URLSAFE, 93) + "AA"],
    "openrouter-key": [lambda: "sk" + "-or-v1-" + some(HEX, 64)],
    "github-token": [
        lambda: "gh" + "p_" + some(ALNUM, 36),
        lambda: "gh" + "o_" + some(ALNUM, 36),
        lambda: "gh" + "s_" + some(ALNUM, 36),
        lambda: "github" + "_pat_" + some(ALNUM, 22) + "_" + some(ALNUM, 59),
    ],
    "gitlab-token": [lambda: "gl" + "pat-" + some(URLSAFE, 20)],
    "aws-access-key-id": [lambda: "AK" + "IA" + some(string.ascii_uppercase + "234567", 16)],
    "google-key": [lambda: "AI" + "za" + some(URLSAFE, 34) + "x"],
    "google-oauth": [lambda: "GOC" + "SPX-" + some(URLSAFE, 28), lambda: "ya" + "29." + some(URLSAFE, 100)],
    "azure-secret": [lambda: some(ALNUM, 3) + "8" + "Q~" + some(ALNUM, 34)],
    "slack-token": [
        lambda: "xox" + "b-" + some(string.digits, 12) + "-" + some(string.digits, 13) + "-" + some(ALNUM, 24)
    ],
    "stripe-key": [lambda: "sk" + "_live_" + some(ALNUM, 24), lambda: "wh" + "sec_" + some(ALNUM, 32)],
    "twilio-key": [lambda: "S" + "K" + some(HEX, 32)],
    "sendgrid-key": [lambda: "S" + "G." + some(URLSAFE, 22) + "." + some(URLSAFE, 43)],
    "mailgun-key": [lambda: "ke" + "y-" + some(HEX, 32)],
    "npm-token": [lambda: "np" + "m_" + some(ALNUM, 36)],
    "pypi-token": [lambda: "py" + "pi-AgEIcHlwaS5vcmc" + some(URLSAFE, 120)],
    "huggingface-token": [lambda: "h" + "f_" + some(ALNUM, 34)],
    "digitalocean-token": [lambda: "do" + "p_v1_" + some(HEX, 64)],
    "telegram-token": [lambda: some(string.digits, 10) + ":" + "AA" + some(URLSAFE, 33)],
    "mailchimp-key": [lambda: some(HEX, 32) + "-u" + "s12"],
    "xai-key": [lambda: "xa" + "i-" + some(ALNUM, 80)],
    "perplexity-key": [lambda: "pp" + "lx-" + some(ALNUM, 48)],
    "replicate-token": [lambda: "r" + "8_" + some(ALNUM, 37)],
    "databricks-token": [lambda: "da" + "pi" + some(HEX, 32)],
    "atlassian-token": [lambda: "AT" + "ATT3" + some(URLSAFE, 80), lambda: "AT" + "BB" + some(ALNUM, 32)],
    "docker-token": [lambda: "dckr" + "_pat_" + some(URLSAFE, 27)],
    "shopify-token": [lambda: "shp" + "at_" + some(HEX, 32)],
    "square-token": [lambda: "sq0" + "atp-" + some(URLSAFE, 22)],
    "linear-key": [lambda: "lin" + "_api_" + some(ALNUM, 40)],
    "notion-token": [lambda: "nt" + "n_" + some(ALNUM, 46)],
    "figma-token": [lambda: "fi" + "gd_" + some(URLSAFE, 40)],
    "grafana-token": [lambda: "gl" + "sa_" + some(ALNUM, 32) + "_" + some(HEX, 8)],
    "sentry-token": [lambda: "sntry" + "u_" + some(HEX, 64)],
    "supabase-key": [lambda: "sb" + "p_" + some(HEX, 40), lambda: "sb" + "_secret_" + some(URLSAFE, 31)],
    "planetscale-token": [lambda: "pscale" + "_tkn_" + some(URLSAFE, 43)],
    "doppler-token": [lambda: "dp" + ".pt." + some(ALNUM, 43)],
    "terraform-token": [lambda: some(ALNUM, 14) + ".atlas" + "v1." + some(URLSAFE, 67)],
    "postman-key": [lambda: "PM" + "AK-" + some(HEX, 24) + "-" + some(HEX, 34)],
    "newrelic-key": [lambda: "NR" + "AK-" + some(string.ascii_uppercase + string.digits, 27)],
    "langsmith-key": [lambda: "lsv2" + "_pt_" + some(HEX, 32) + "_" + some(HEX, 10)],
    "airtable-token": [lambda: "pa" + "t" + some(ALNUM, 14) + "." + some(HEX, 64)],
    "fly-token": [lambda: "fm" + "2_" + some(ALNUM, 100)],
    "private-key": [lambda: "AGE-SECRET" + "-KEY-1" + some(string.ascii_uppercase + string.digits, 58)],
    "groq-key": [lambda: "gs" + "k_" + some(ALNUM, 52)],
    "vault-token": [lambda: "hv" + "s." + some(URLSAFE, 90)],
    "jwt": [jwt],
}
SURROUNDINGS = [
    "{}",
    "Here it is: {}",
    "I put {} into the vault, then rotated it.",
    "the value is `{}`.",
    'client = Client("{}")',
    "export THING={}\nexport OTHER=1",
    '{{"value": "{}", "other": 3}}',
    '{{"args": "{{\\"value\\": \\"{}\\"}}"}}',
    "first line\\n{}\\nlast line",
    "curl -H 'X-Thing: {}' https://example.org/v1",
    "https://example.org/callback?thing={}&state=1",
    "我的值是{}，请保存",
    "({})",
]


@pytest.mark.parametrize("kind", TOKENS)
def test_a_token_is_found_by_its_shape_anywhere_in_a_text(kind: str) -> None:
    for build in TOKENS[kind]:
        for surrounding in SURROUNDINGS:
            secret = build()
            text = surrounding.format(secret)
            redacted, found = scan(text)
            assert redacted == surrounding.format(f"[secret:{kind}]"), text
            assert [(r.kind, r.placeholder) for r in found] == [(kind, f"[secret:{kind}]")]
            assert text[found[0].start : found[0].start + found[0].length] == secret


def test_a_discord_token_is_found_near_the_word_discord() -> None:
    token = "M" + some(ALNUM, 25) + "." + some(ALNUM, 6) + "." + some(URLSAFE, 37)
    assert (
        redact(f"client.run('{token}')  # the discord bot") == "client.run('[secret:discord-token]')  # the discord bot"
    )


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (lambda s: f"AWS_SECRET_ACCESS_KEY={s}", "aws-secret-key"),
        (lambda s: f'"SecretAccessKey": "{s}",', "aws-secret-key"),
        (lambda s: f"AWS Secret Access Key [None]: {s}", "aws-secret-key"),
        (lambda s: f"awsSecretAccessKey: '{s}'", "aws-secret-key"),
    ],
)
def test_an_aws_secret_is_found_by_its_name(text: Callable[[str], str], kind: str) -> None:
    secret = some(BASE64, 40)
    assert redact(text(secret)) == text(f"[secret:{kind}]")


def test_an_aws_secret_is_found_beside_its_id() -> None:
    both = "AK" + "IA" + some(string.ascii_uppercase + "234567", 16), some(BASE64, 40)
    assert redact(",".join(both)) == "[secret:aws-access-key-id],[secret:aws-secret-key]"


def test_azure_connection_strings_and_signed_addresses_keep_all_but_the_secret() -> None:
    key, signature = some(BASE64, 86) + "==", some(ALNUM, 43) + "%3D"
    account = f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={key};EndpointSuffix=core.windows.net"
    address = f"https://shop.blob.core.windows.net/c/f.csv?sv=2022-11-02&sp=r&sig={signature}"
    assert redact(account) == account.replace(key, "[secret:azure-key]")
    assert redact(address) == address.replace(signature, "[secret:azure-sas]")


def test_webhooks_keep_their_host() -> None:
    slack = "T" + some(string.digits, 9) + "/B" + some(string.digits, 9) + "/" + some(ALNUM, 24)
    discord = some(URLSAFE, 68)
    assert redact(f"POST https://hooks.slack.com/services/{slack}") == (
        "POST https://hooks.slack.com/services/[secret:slack-webhook]"
    )
    assert redact(f"https://discord.com/api/webhooks/1234567890123456/{discord}") == (
        "https://discord.com/api/webhooks/1234567890123456/[secret:discord-webhook]"
    )


def pem(label: str, lines: int = 12, end: bool = True, newline: str = "\n") -> str:
    body = newline.join("MI" + some(BASE64, 62) for _ in range(lines))
    last = f"{newline}-----END {label}PRIVATE " + "KEY-----" if end else ""
    return f"-----BEGIN {label}PRIVATE " + "KEY-----" + newline + body + last


@pytest.mark.parametrize("label", ["RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", ""])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n"])
@pytest.mark.parametrize("end", [True, False])
def test_a_private_key_goes_as_a_whole_or_as_far_as_it_was_pasted(label: str, newline: str, end: bool) -> None:
    block = pem(label, end=end, newline=newline)
    assert redact(f"before\n{block}\n\nafter it") == "before\n[secret:private-key]\n\nafter it"


def test_a_private_key_whose_head_was_cut_off_goes_too() -> None:
    block = pem("RSA ").split("\n", 2)[2]
    assert redact(f"cat key.pem | tail\n{block}\ndone") == "cat key.pem | tail\n[secret:private-key]\ndone"


def test_a_service_account_file_loses_its_key_only() -> None:
    key = pem("", newline="\\n")
    text = f'{{"type": "service_account", "private_key_id": "ab12", "private_key": "{key}\\n", "client_id": "1"}}'
    assert redact(text) == text.replace(key, "[secret:private-key]")


@pytest.mark.parametrize(
    "text",
    [
        "Files start with -----BEGIN RSA PRIVATE " + "KEY----- and end with -----END RSA PRIVATE " + "KEY-----.",
        'if "-----BEGIN PRIVATE ' + 'KEY-----" in text: raise ValueError',
        "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END CERTIFICATE-----",
    ],
)
def test_talk_about_keys_and_public_keys_stay(text: str) -> None:
    assert scan(text) == (text, ())


@pytest.mark.parametrize(
    ("before", "secret", "after"),
    [
        ("DATABASE_URL=postgres://app:", "S3cr" + "et!pw", "@db.internal:5432/shop"),
        ("redis://:", "hunt" + "er2", "@cache:6379/0"),
        ('"mongodb+srv://root:', "p%40ss" + "w0rd", '@cluster0.mongodb.net/?retryWrites=true"'),
        ("git clone https://bot:", "d41d8cd98f00" + "b204", "@git.example.org/shop.git"),
        ("amqp://guest:", "gue" + "st1", "@rabbit//"),
        ("postgres://app:", "p@" + "ss", "@db/shop"),
    ],
)
def test_a_url_loses_its_password_only(before: str, secret: str, after: str) -> None:
    assert redact(before + secret + after) == f"{before}[secret:url-password]{after}"


@pytest.mark.parametrize(
    "text",
    [
        "postgres://user:password@localhost/db",
        "postgres://${USER}:${PASSWORD}@db/shop",
        "postgres://user:<password>@host/db",
        "https://user:****@example.org",
        "http://localhost:8080/@scope/package",
        "https://example.org:8443/a/b@c",
        "ssh://git@github.com:22/a/b.git",
        "see https://example.org/a:b and mail me@example.org",
    ],
)
def test_addresses_without_a_password_stay(text: str) -> None:
    assert scan(text) == (text, ())


@pytest.mark.parametrize(
    ("before", "secret", "after", "kind"),
    [
        ("Authorization: Bearer ", some(ALNUM, 40), "", "bearer-token"),
        ("curl -H 'authorization: bearer ", some(URLSAFE, 32), "' https://example.org", "bearer-token"),
        ('{"Authorization": "Basic ', some(ALNUM, 22) + "==", '"}', "basic-auth"),
        ("x-api-key: ", some(HEX, 32), "", "key"),
        ("password = ", "hunt" + "er2", "", "password"),
        ("password: ", "Tr0ub4" + "dor&3", "\nuser: bob", "password"),
        ('{"password": "', "correct-7-horse" + "!", '", "user": "bob"}', "password"),
        ('\\"password\\": \\"', "Xy7pq" + "9zz", '\\"', "password"),
        ("DB_PASSWORD='", "p@ss" + "word", "'", "password"),
        ("MYSQL_ROOT_PASSWORD=", "s3cr" + "3t", "\\nMYSQL_DATABASE=shop", "password"),
        ("export SECRET_TOKEN=", some(ALNUM, 32), "", "token"),
        ('api_key: "', some(ALNUM, 32), '"', "key"),
        ("const apiKey = '", some(HEX, 40), "';", "key"),
        ("token: str = '", some(ALNUM, 30), "'", "token"),
        ("clientSecret := `", some(URLSAFE, 40), "`", "secret"),
        ("client.connect(password='", "Zk4" + "!vbn", "')", "password"),
        ('os.environ.get("DB_PASSWORD", "', "Zk4" + "!vbn8", '")', "password"),
        ("<password>", "Zk4" + "!vbn8", "</password>", "password"),
        ("tool --password ", "hunt" + "er2", " --user bob", "password"),
        ("tool --api-key=", some(ALNUM, 32), " run", "key"),
        ("https://example.org/?access_token=", some(ALNUM, 32), "&x=1", "token"),
        ("mysqldump -u root -p", "S3cr" + "etPw", " shop > dump.sql", "password"),
        ("sshpass -p '", "S3cr" + "etPw", "' ssh host", "password"),
        ("curl -u admin:", "S3cr" + "etPw", " https://example.org", "password"),
        ("**Password:** ", "Blue42" + "!sky", "", "password"),
        ("The staging password is ", "Blue42" + "!sky", ", do not share it.", "password"),
        ("ALTER USER app WITH PASSWORD '", "Wint" + "er2024!", "';", "password"),
        ("CREATE USER app IDENTIFIED BY '", "Wint" + "er2024!", "';", "password"),
        ("machine example.org login bob password ", "Wint" + "er2024", "", "password"),
        ("Server=db;User Id=sa;Password=", "Wint" + "er2024!", ";Encrypt=true", "password"),
        ("le mdp c'est ", "Wint" + "er2024", "", "password"),
        ("mot de passe : ", "Lun3" + "&Soleil", "", "password"),
        ("Le mot de passe est ", "Lun3" + "Soleil", ".", "password"),
        ("MDP=", "Lun3" + "Soleil", "", "password"),
        ("contraseña: ", "Luna" + "2024!", "", "password"),
        ("Passwort: ", "Mond" + "2024!", "", "password"),
        ("senha: ", "Lua" + "2024!", "", "password"),
        ("密码：", "Yue" + "2024!x", "，请勿外传", "password"),
        ("我的密码是", "Yue" + "2024!x", "", "password"),
        ("пароль: ", "Luna" + "2024!", "", "password"),
        ("clé API : ", some(ALNUM, 32), "", "key"),
        ("| api key | ", some(ALNUM, 32), " |", "key"),
        ("SECRET_KEY_BASE=", some(HEX, 64), "", "key"),
        ("DD_APP_KEY=", some(HEX, 40), "", "key"),
        ("_authToken=", some(HEX, 36), "", "token"),
    ],
)
def test_a_value_is_found_by_the_name_it_is_given(before: str, secret: str, after: str, kind: str) -> None:
    assert redact(before + secret + after) == f"{before}[secret:{kind}]{after}"


@pytest.mark.parametrize(
    "text",
    [
        "password: required",
        "Password: must be at least 8 characters",
        "password: 8-20 characters",
        "password = None",
        "password: null,",
        'password: ""',
        "password: string",
        "password?: string | undefined;",
        "token: Optional[str] = None",
        "password = xxxxxxxx",
        "API_KEY=<your-key>",
        "API_KEY=your_api_key_here_123",
        "API_KEY=${API_KEY}",
        "API_KEY=$API_KEY",
        'api_key = os.environ["API_KEY_V2"]',
        "const token = process.env.GITHUB_TOKEN2",
        "password: ********",
        "password=changeme1",
        "SECRET=example-secret-123",
        "password = get_password(user1)",
        "token = response.json()['token2']",
        "token = tokens[0]",
        "token = token2",
        "next_page_token: 8f14e45fceea167a5a36dedd4bea2543",
        "max_tokens: 4096",
        "token_count=128000",
        "tokenizer = 'cl100k_base'",
        "key: 8f14e45fceea167a5a36dedd4bea2543",
        "primary_key = 'user_id_2'",
        "public_key: 8f14e45fceea167a5a36dedd4bea2543",
        "author: bob42",
        "keyboard: qwerty123",
        "passenger: Bob42",
        "--- PASS: TestLogin2 (0.00s)",
        "secret_name: prod-db-2",
        "the token is OAuth2 based",
        "password hashing uses argon2id",
        "secret: {{ secrets.DEPLOY_KEY_2 }}",
        "password_file: /run/secrets/db_password1",
        "password = '/run/secrets/db_password1'",
        "commit 8f14e45fceea167a5a36dedd4bea2543aabbccdd",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "integrity sha512-oRBMx8wZ5Zbe2lJ2ZzTlDTLJM1p5jZbZb0wyGEQeZ8ZJkq2m1lX9mNvJ8yEwZQ==",
        "ghp_" + "x" * 36,
        "tokens such as ghp_… or sk-ant-… are found",
        "class sk-fading-circle-with-a-long-name",
        "src/components/forms/PasswordResetConfirmation2.tsx",
        "Bearer authentication is required",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${ACCESS_TOKEN_1}",
        "basic authorization: use the Basic scheme",
        "order 4111111111111112 on my card",
        "timestamp 1700000000000000 discarded",
        "mot de passe : obligatoire",
        "密码：必填",
        "The secret is to practise daily.",
        "Let the token expire in 3600s",
        "mysql -u root -p shop",
        "The password for the admin is stored in 1Password.",
        "the password policy is 8-20 characters",
        "the password is case-sensitive and user-provided",
        "Password: must contain upper-case letters and 2 digits",
        "Pass `verbosity=1` to see more",
        "pass force_zip64 to the writer",
        "the token for OAuth2 is issued by the server",
        "container_registry_password=container_registry_password",
        "key = ed25519.Ed25519PrivateKey",
        "AWS_ACCESS_KEY_ID=AKIA" + "IOSFODNN7EXAMPLE",
        "Das Passwort muss mindestens 8 Zeichen lang sein.",
        "Das Passwort wird mit argon2id gespeichert.",
        "Der Schlüssel zum Erfolg ist Geduld.",
        "Primärschlüssel: 8f14e45fceea167a5a36dedd4bea2543",
        "Le mot de passe est obligatoire.",
        "La clé de la maison est sous le pot.",
        "Le mot de passe doit contenir 8 caractères.",
        "passphrase: enter the words you chose",
        "| user | password |\n|---|---|\n| bob | required |",
        "names = [\n    'GetUser2',\n    'SetPass3',\n    'ShowThing42',\n]",
        "ssh://[secret:url-token]@host/x",
        "tool call toolu_01A09q90qw90lq917835lq9 returned",
        "https://example.org:8080?mail=a@b.org",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert scan(text) == (text, ())


@pytest.mark.parametrize("password", ["monkey99", "Hockey07", "Passw0rd!", "SuperSecret1", "Replace9me", "Sampled42"])
@pytest.mark.parametrize(
    "text",
    [
        "DB_PASSWORD={}",
        "password: {}",
        "tool --password {}",
        "The staging password is {}.",
        'password = "{}"',
        "mysql://bob:{}@db/shop",
        "Das Passwort lautet {}.",
        "Le mot de passe de la base est {}.",
    ],
)
def test_a_password_may_contain_the_words_of_names_and_placeholders(text: str, password: str) -> None:
    assert password.rstrip("!.") not in redact(text.format(password))


@pytest.mark.parametrize(
    "text",
    [
        "{{&quot;password&quot;: &quot;{}&quot;}}",
        "https://h.org/?next=%2Fa%3Fpassword%3D{}%26x%3D1",
        "{{\\u0022password\\u0022: \\u0022{}\\u0022}}",
        "ｐａｓｓｗｏｒｄ＝{}",
        "pass\u200bword: {}",
        "password:\n  {}\n",
        "| host | password |\n|---|---|\n| db | {} |",
        "user,password\nbob,{}",
    ],
)
def test_a_password_is_found_however_it_is_written(text: str) -> None:
    password = "Lun3" + "Soleil42"
    redacted, found = scan(text.format(password))
    assert redacted == text.format("[secret:password]")
    assert found[0].length == len(password)


def test_a_token_is_found_in_two_parts_and_with_an_invisible_character() -> None:
    token = "gh" + "p_" + some(ALNUM, 36)
    assert redact(f'T = ("{token[:20]}"\n     "{token[20:]}")') == 'T = ("[secret:github-token]")'
    assert redact(f"use {token[:9]}\u200b{token[9:]} now") == "use [secret:github-token] now"


def test_a_decoy_does_not_hide_the_secret_behind_it() -> None:
    value = "d3coy" + "X7qq"
    assert redact(f'password: "ask Bob, password={value} worked"') == (
        'password: "ask Bob, password=[secret:password] worked"'
    )


def test_card_numbers_that_check_out_are_found() -> None:
    number = "4242" + " 4242" * 2 + " 4242"
    assert redact(f"card: {number}, cvc 123") == f"card: {number}, cvc 123"
    number = "4539 " + "5787 " + "6362 " + "1486"
    assert redact(f"my visa is {number}") == "my visa is [secret:card-number]"
    assert redact(f"my visa is {number.replace(' ', '')}") == "my visa is [secret:card-number]"


def test_the_most_specific_kind_names_what_overlaps() -> None:
    token = "gh" + "p_" + some(ALNUM, 36)
    assert redact(f"GITHUB_TOKEN={token}") == "GITHUB_TOKEN=[secret:github-token]"
    assert redact(f"https://x-access-token:{token}@github.com/a/b") == (
        "https://x-access-token:[secret:github-token]@github.com/a/b"
    )
    assert redact(f"Authorization: Bearer {jwt()}") == "Authorization: Bearer [secret:jwt]"


def test_several_secrets_are_all_found_and_located_in_the_text_given() -> None:
    secrets = ["gh" + "p_" + some(ALNUM, 36), "AK" + "IA" + some(string.ascii_uppercase, 16), jwt()]
    text = f"a {secrets[0]}\nb={secrets[1]};{secrets[2]} end"
    redacted, found = scan(text)
    assert redacted == "a [secret:github-token]\nb=[secret:aws-access-key-id];[secret:jwt] end"
    assert [text[r.start : r.start + r.length] for r in found] == secrets


ROW = {f"{letter}_TOKEN": "Ab3dE5fGh" + f"7Jk9LmN{n:02}xQ" for n, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWX")}


def rows() -> dict[str, str]:
    """Twenty-four tokens in a row, joined as in a shell command, a JSON file and a URL."""
    file = "".join(f"{name}={value}\n" for name, value in ROW.items())
    return {
        "semicolons": ";".join(f"{name}={value}" for name, value in ROW.items()),
        "escaped line breaks": json.dumps({"path": ".env", "content": file}),
        "escaped windows line breaks": json.dumps({"path": ".env", "content": file.replace("\n", "\r\n")}),
        "address": "https://example.org/?" + "&".join(f"{name}={value}" for name, value in ROW.items()),
        "form": "&".join(f"{name}={value}" for name, value in ROW.items()),
        "flags": "run " + ";".join(f"--{name}={value}" for name, value in ROW.items()),
    }


@pytest.mark.parametrize("joined", rows())
def test_one_pass_finds_every_secret_of_a_row(monkeypatch: pytest.MonkeyPatch, joined: str) -> None:
    monkeypatch.setattr(secrets, "_PASSES", 1)
    text = rows()[joined]
    redacted, found = scan(text)
    assert [text[r.start : r.start + r.length] for r in found] == list(ROW.values())
    assert redacted.count("[secret:token]") == len(ROW)
    assert scan(redacted) == (redacted, ())


@pytest.mark.parametrize("joined", rows())
def test_no_secret_of_a_row_is_stored(ws: Workspace, tmp_path: Path, joined: str) -> None:
    text = rows()[joined]
    ws.remember(f"The environment is {text}")
    ws.session("s").say("user", text)
    ws.add_document("docs/env.md", f"# Environment\n\n{text}\n")
    ws.close()
    stored = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert b"[secret:token]" in stored
    assert [value for value in ROW.values() if value.encode() in stored] == []


def test_a_secret_within_a_quoted_sentence_is_found() -> None:
    value = some(ALNUM, 32)
    assert redact(f'{{"token": "see token={value} for prod"}}') == '{"token": "see token=[secret:token] for prod"}'


@pytest.mark.parametrize("label", ["password: password:", "password : password :", "Mot de passe : mot de passe :"])
def test_a_secret_is_found_behind_a_label_that_is_written_twice(label: str) -> None:
    assert redact(f"{label} {some(ALNUM, 14)}!9 is used") == f"{label} [secret:password] is used"


def test_the_letter_of_an_escaped_line_break_is_no_part_of_a_name() -> None:
    value = some(ALNUM, 32)
    assert redact(f"a=1\\napi_key={value}\\nb=2") == "a=1\\napi_key=[secret:key]\\nb=2"
    assert redact(f"a=1\\npage_token={value}") == f"a=1\\npage_token={value}"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["password", "A_TOKEN", "client_secret", "db_password", "--token"]),
            st.sampled_from(["=", ": ", ":", "='", '="', '\\": \\"']),
            st.sampled_from([some(ALNUM, 24) + "a1B" for _ in range(20)] + ["example", "f(x)", "[secret:jwt]"]),
            st.sampled_from(
                [";", "\\n", "&", "&amp;", "\n", ",", "|", "'", '"', " ", "/", "@h", "://u:", "https://h/?"]
            ),
        ),
        max_size=30,
    ).map(lambda parts: "".join(map("".join, parts)))
)
def test_scanning_a_row_again_finds_nothing(text: str) -> None:
    redacted, _ = scan(text)
    assert scan(redacted) == (redacted, ())


def test_a_text_that_uncovers_a_secret_in_every_pass_is_replaced_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "_PASSES", 0)
    text = f"token={some(ALNUM, 32)} and more"
    redacted, (found,) = scan(text)
    assert (redacted, found.start, found.length) == ("[secret:token]", 0, len(text))
    assert scan(redacted) == (redacted, ())


LONG = "A line of plain prose that says nothing of note, again and again.\n" * 100


@pytest.mark.parametrize("kind", TOKENS)
def test_a_token_is_found_in_a_long_text_too(kind: str) -> None:
    assert redact(f"{LONG}the value: {TOKENS[kind][0]()}\n{LONG}") == f"{LONG}the value: [secret:{kind}]\n{LONG}"


@pytest.mark.parametrize(
    "name",
    [
        *("password", "passwd", "pwd", "mdp", "client_secret", "token", "jeton", "api_key", "credentials"),
        *("mot de passe", "Contraseña", "contrasena", "clave", "senha", "Kennwort", "wachtwoord", "lösenord", "hasło"),
        *("parola", "Пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "Clé API", "clé d'api", "clé d’api"),
        *("clé secrète", "clé d'accès", "密钥", "秘钥", "秘密鍵"),
    ],
)
def test_a_name_is_known_in_a_long_text_as_in_a_short_one(name: str) -> None:
    value = some(ALNUM, 32)
    short = redact(f"{name}: {value}")
    assert value not in short
    assert redact(f"{LONG}{name}: {value}") == LONG + short


pieces = st.one_of(
    st.sampled_from([build() for builds in TOKENS.values() for build in builds]),
    st.sampled_from([pem("RSA "), pem("", end=False), "[secret:jwt]", "[secret:password]", "İ", "\\n", "\ud800"]),
    st.sampled_from(
        ["password", "token", "api_key", "secret", "=", ": ", "'", '"', " ", "\n", "://u:", "@h", "--", "&", "|"]
    ),
    st.sampled_from(
        ["Zk4" + "!vbn8", "hunt" + "er2", "Bearer ", "Authorization: Basic ", "mot de passe est ", "curl -u a:"]
    ),
    st.text(max_size=12),
)


@given(st.lists(pieces, max_size=14).map("".join))
def test_scanning_is_lawful_on_any_text(text: str) -> None:
    redacted, found = scan(text)
    at, rebuilt = 0, ""
    for redaction in found:
        assert at <= redaction.start < redaction.start + redaction.length <= len(text)
        rebuilt += text[at : redaction.start] + redaction.placeholder
        at = redaction.start + redaction.length
    assert redacted == rebuilt + text[at:]
    assert scan(redacted) == (redacted, ())


@given(st.text())
def test_scanning_never_raises(text: str) -> None:
    redacted, found = scan(text)
    assert (redacted == text) == (not found)


@given(st.sampled_from(sorted(TOKENS)), st.text(max_size=40), st.text(max_size=40))
def test_no_secret_is_left_in_what_comes_back(kind: str, before: str, after: str) -> None:
    secret = TOKENS[kind][0]()
    assert secret not in redact(f"{before} {secret} {after}")


@pytest.mark.integration
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "token:",
        "token: ",
        "pass=pass ",
        "password='",
        "://a:",
        "curl -u ",
        "mysql ",
        "--token ",
        "-----BEGIN PRIVATE " + "KEY-----",
        "eyJ",
        "4242 ",
        "card 4",
        "secret key",
        "A" * 64 + "\n",
        "key | ",
        "key: a ",
        "sk-",
        "xoxb-",
        "SG." + "a" * 20,
        "Bearer ",
        " " * 50,
        'pass("',
        "token=aB3d9E5fGhJ;",
        "token=aB3d9E5fGhJ&",
        "://?token=aB3d9E5fGhJ&",
        "token=aB3d9E5fGhJ\\n",
        "[secret:token]:a",
        "token=\"a token='b token=`c ",
        "token is «",
        "passphrase: a",
        "[secret:pass",
        "password for the ",
        "| password |\n",
        "&quot;password=",
        '"a"\n',
        "is the password ",
        "cookie: a=b; ",
    ],
)
def test_a_text_built_to_be_slow_is_not(unit: str) -> None:
    """Finishes in time: a pattern that backtracks would take minutes."""
    text = (
        unit * (40_000 // len(unit))
        + " private key----- -----END PRIVATE "
        + "KEY----- card secret token -us1 sig= bearer"
    )
    assert len(scan(text)[0]) > 0


@pytest.mark.integration
def test_nothing_is_compiled_and_no_record_made_for_a_clean_text_in_a_fresh_process() -> None:
    code = (
        "import re; made = []; real = re.compile\n"
        "re.compile = lambda *a: made.append(a) or real(*a)\n"
        "from holdfast.intake.secrets import scan; import sys\n"
        "assert scan('The build uses cmake.')[1] == ()\n"
        "print(len(made), 'holdfast.core.admission' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["0", "False"]
