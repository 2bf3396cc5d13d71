"""The comparison of statements on the development part of the fixed pairs; the benchmark measures the test part."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from holdfast.statements import compare
from holdfast.statements.change_words import change_marks
from holdfast.statements.clauses import main_verb
from holdfast.statements.corrections import LeadIn, lead_in
from holdfast.statements.statement_tokens import tokens_of

PAIRS = Path(__file__).parents[2] / "bench" / "sets" / "updates" / "pairs_dev.jsonl"


@pytest.mark.integration
def test_changes_are_recognised_and_different_things_kept_apart() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    found = Counter((row["relation"], compare(row["new"], row["old"]).kind) for row in rows)
    of = Counter(row["relation"] for row in rows)
    assert found["update", "update"] >= 0.9 * of["update"]
    assert found["contradiction", "clash"] >= 0.9 * of["contradiction"]
    assert found["different", "update"] + found["different", "clash"] <= 0.02 * of["different"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Tier 1 tickets must be answered within 4 hours.", "Tier 2 tickets must be answered within 24 hours."),
        ("Postgres listens on port 5433.", "Redis listens on port 6379."),
        ("In 2024 the budget was 10,000 euros.", "In 2025 the budget was 20,000 euros."),
        ("Endpoint /v1/users must answer within 200 ms.", "Endpoint /v1/orders must answer within 500 ms."),
        ("Retry GET requests 3 times.", "Retry POST requests 1 time."),
        ("I live in Berlin.", "My brother moved to Vienna last month."),
        ("We deploy on Thursdays.", "What would happen if we deployed on Fridays instead?"),
        ("Mon fils chausse du 38.", "Ma fille chausse du 35."),
        ("We support Python 3.11.", "We support Python 3.12."),
        ("The user table has 12 columns.", "The user table has 3 indexes."),
        ("En 2023, nous étions 12.", "En 2024, nous étions 19."),
        ("Priya wants the export as CSV.", "Priya moved to Berlin."),
        ("Priya approved the release.", "Priya moved to Berlin."),
        ("Hannah takes the 8:15 train.", "Hannah takes the 17:40 train back."),
        ("Bus 12 stops here.", "Bus 17 does not stop here."),
        ("We will switch the API to gRPC.", "We stay on npm."),
    ],
)
def test_a_qualifier_distinguishes_two_things(old: str, new: str) -> None:
    assert compare(new, old).kind == "apart"


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("We deploy on Tuesdays.", "From now on we deploy on Thursdays instead of Tuesdays.", "Tuesdays → Thursdays"),
        ("The limit is 20 MB.", "No, the limit is 25 MB, not 20 MB.", "20 MB → 25 MB"),
        ("Karl owns the billing service.", "Petra owns the billing service.", "Karl → Petra"),
        ("On déploie le mardi.", "Désormais on déploie le jeudi au lieu du mardi.", "mardi → jeudi"),
        ("On utilise jQuery.", "On n'utilise plus jQuery.", "utilise jQuery ↔ n' plus"),
        ("We use Sass for the stylesheets.", "We dropped Sass.", "Sass ↔ dropped"),
        ("Two-factor login is enabled.", "Two-factor login is now disabled.", "enabled ↔ disabled"),
        ("I have lived in Lille for ten years.", "I moved to Bordeaux in September.", "Lille → Bordeaux"),
        ("J'habite à Lille.", "Je vis maintenant à Bordeaux.", "Lille → Bordeaux"),
        ("We write tests with unittest.", "We moved from unittest to pytest.", "unittest → pytest"),
        ("The backup runs at midnight.", "The backup has been moved to 4 am.", "midnight → 4 am"),
        ("Le loyer est de 1 200 €.", "Le loyer passe à 1 350 euros.", "1 200 € → 1 350 euros"),
        ("Dinner is at 7 pm.", "Dinner is at 8 pm.", "7 pm → 8 pm"),
        ("Our vet is Dr. Sommer.", "Our vet is Dr. Winter since the move.", "Sommer → Winter"),
        ("The plan is to ship on Friday.", "We don't ship on Friday, we ship on Monday.", "Friday → Monday"),
        ("Secrets are kept in .env files.", "Secrets are kept in Vault from now on.", ".env files → Vault"),
        ("Weekly reports go to Hanna.", "Please send the weekly reports to Ivo instead of Hanna.", "Hanna → Ivo"),
        ("The API returns XML.", "The API returns JSON.", "XML → JSON"),
        ("Le rapport est hebdomadaire.", "Le rapport est désormais mensuel.", "hebdomadaire → mensuel"),
        ("On utilise Jenkins.", "On abandonne Jenkins.", "Jenkins ↔ abandonne"),
        ("The office is in Lyon.", "The office is in Paris.", "Lyon → Paris"),
        ("The office dog is called Rex.", "It's not Rex, the office dog is called Max.", "Rex → Max"),
        ("We are moving to MongoDB this summer.", "We stay on PostgreSQL.", "MongoDB → PostgreSQL"),
        ("On passe à MongoDB cet été.", "On reste sur PostgreSQL.", "MongoDB → PostgreSQL"),
        ("We store the uploads on local disk.", "We store the uploads in S3 instead.", "local disk → S3"),
        ("The trip to Japan is in May.", "We cancelled the trip to Japan.", "trip Japan ↔ cancelled"),
        ("I work at Siemens.", "I quit my job at Siemens and started at Bosch.", "job Siemens ↔ quit"),
    ],
)
def test_a_change_replaces_the_old_value(old: str, new: str, difference: str) -> None:
    verdict = compare(new, old)
    assert (verdict.kind, verdict.difference) == ("update", difference)


def test_the_old_value_is_named() -> None:
    tokens = tokens_of("We switched from Jenkins to GitHub Actions, not CircleCI.")
    marks = change_marks(tokens)
    assert {"becomes", "denied"} <= marks.kinds
    assert [tokens[n].text for n in sorted(marks.denied)] == ["Jenkins", "CircleCI"]


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("The nightly job runs at 2", "runs"),
        ("Upload limit for guests is 5 MB", "is"),
        ("Requests time out after 30 s", "time"),
        ("On Tuesdays I work from home", "work"),
        ("On déploie le jeudi", "déploie"),
        ("Dr. Patel is my dentist", "is"),
    ],
)
def test_the_verb_ends_the_subject(text: str, verb: str) -> None:
    tokens = tokens_of(text)
    assert tokens[main_verb(tokens)].text == verb


def test_an_imperative_has_no_subject() -> None:
    assert main_verb(tokens_of("Run the nightly job at 3 am")) == -1


@pytest.mark.parametrize(
    ("text", "rest", "corrects"),
    [
        ("No merges on Friday afternoons.", "No merges on Friday afternoons.", False),
        ("Edit the config before you deploy.", "Edit the config before you deploy.", False),
        ("Wrong credentials give 401.", "Wrong credentials give 401.", False),
        ("No, Thursday.", "Thursday.", True),
        ("no thursday", "thursday", True),
        ("No it's 25 MB", "it's 25 MB", True),
        ("Edit: it's 14 days.", "it's 14 days.", True),
        ("No", "", True),
    ],
)
def test_a_denial_or_an_order_at_the_beginning_is_no_lead_in(text: str, rest: str, corrects: bool) -> None:
    assert lead_in(text) == LeadIn(rest, corrects)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My sport is tennis, every Saturday.", "I swapped tennis for padel."),
        ("Minutes are written in Notion.", "We're back to plain text for the minutes, Notion was too slow."),
    ],
)
def test_what_tells_a_change_and_names_it_may_be_in_other_words(old: str, new: str) -> None:
    assert compare(new, old, overheard=True).kind == "update"


def test_a_change_that_names_nothing_of_the_older_statement_must_be_near_it() -> None:
    new = "The budget was refused, we stay on Jenkins after all."
    assert compare(new, "Greta writes the release notes.", overheard=True).kind == "apart"


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("Rex eats wet food.", "The vet says Rex eats dry food only from this week on.", "update"),
        ("The stand-up is at nine.", "Mia says the stand-up is at ten now.", "update"),
        ("We ship on Thursdays.", "Karl thinks we should ship on Tuesdays.", "apart"),
        ("We ship on Thursdays.", "Maybe we ship on Tuesdays.", "apart"),
        ("The stand-up is at nine.", "Mia says the stand-up is at ten now, right?", "apart"),
    ],
)
def test_a_reported_fact_changes_a_statement_and_an_opinion_does_not(old: str, new: str, kind: str) -> None:
    assert compare(new, old, overheard=True).kind == kind


def test_two_statements_that_surely_conflict_need_no_words_of_change() -> None:
    new = "Support asked us to ship on Tuesdays so that they have people around."
    assert compare(new, "We ship on Thursdays.", overheard=True).kind == "update"
