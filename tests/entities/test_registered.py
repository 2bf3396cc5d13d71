"""Registered names are found in any form; words that are also names are not."""

from __future__ import annotations

import pytest

import holdfast
from holdfast.core.entity import RegisteredName
from holdfast.entities.registered import find_registered


def names(text: str, *persons: str) -> list[str]:
    known = [RegisteredName(name, False, name, name, "person", "person", False) for name in persons]
    return [mention.text for mention in find_registered(text, known)]


@pytest.mark.parametrize(
    ("person", "text"),
    [
        ("Priya", "priya likes short meetings"),
        ("Priya", "PRIYA APPROVED THE RELEASE"),
        ("Priya", "Priya's manager"),
        ("Priya", "ping @priya"),
        ("Priya", "a Priya-led effort"),
        ("James", "James' laptop"),
        ("Amélie", "l'idée d'Amélie"),
        ("Amélie", "qu’amelie vienne"),
        ("Zoë", "Zoe's turn"),
        ("Łukasz", "lukasz broke it"),
        ("王伟", "我问了王伟这个问题"),
        ("Jean-Luc Moreau", "jean luc said no"),
        ("Priya Kapoor", "Priya agreed"),
        ("Priya Kapoor", "Priya R. Kapoor signed"),
        ("Priya Kapoor", "Ms. Kapoor approved"),
        ("Siobhán O'Brien", "Mr O’Brien called"),
        ("Mark", "Mark said he would do it"),
        ("Mark", "Thanks, Mark!"),
        ("Mark", "mark told me the port is 5433"),
        ("Will", "Will will do it"),
        ("Rose", "my sister rose lives in Lyon"),
        ("May", "May prefers Thursdays"),
        ("Claire", "Claire a dit oui"),
        ("Pierre", "J'ai demandé à Pierre"),
        ("Pierre", "Pierre passe prendre les clés"),
        ("Dawn Okafor", "Nurse Okafor takes the bloods"),
        ("Florence Weaver", "Weaver wants another week"),
        ("Jordan Price", "I'll sit with Price during the audit"),
        ("Margaux Leroy", "L'ordi de Leroy rame"),
        ("Grace Lindholm", "lindholm wants the figures"),
        ("SC", "SC to chase the supplier by Thursday"),
        ("Mark", "Yesterday Mark was ill"),
        ("Mark", "She told me that Mark is leaving"),
        ("Julia", "I heard that Julia is moving"),
        ("Grace", "The intern Grace takes care of it"),
        ("Martin", "Can you loop in Martin?"),
        ("Victoria", "Our Victoria turns five"),
        ("Paris", "I gave the charger back to Paris"),
        ("Mark", "mark's parser is twice as fast"),
        ("Mark", "Tell Mark that the boxes are here"),
        ("Grace", "No, that's Grace"),
        ("Frank", "Our plumber Frank was here at nine"),
        ("Hope", "Hope drew the floor plan"),
        ("Aurore", "Aurore nous prête sa tente"),
        ("Pierre", "On mange chez pierre"),
        ("Martin", "We have full confidence in Martin"),
        ("Victoria", "There is a spare desk in Victoria's office"),
        ("Will", "asked will about the budget, he says no"),
        ("Chase", "Owner: Chase (backup: Lena)"),
        ("Paris", "Reviewers: Paris, Ahmed, Lucy"),
        ("Florence", "Thanks to Florence, the permit came through"),
        ("Pierre", "Réunion avec pierre et Sonia mardi à 10 h"),
        ("Jasmine", "PM for the wallet: Jasmine"),
        ("Bo", "Who has the key? Bo"),
    ],
)
def test_a_registered_person_is_found(person: str, text: str) -> None:
    assert names(text, person) == [person]


@pytest.mark.parametrize(
    ("person", "text"),
    [
        ("Mark", "Mark the ticket as done"),
        ("Mark", "the question mark is missing"),
        ("Jordan", "The river Jordan is almost dry"),
        ("Jordan", "Flights from Amman, Jordan, are cheaper"),
        ("Will", "My grandfather's Will was read on Tuesday"),
        ("Grace", "Amazing Grace was sung"),
        ("Aurore", "Le journal L'Aurore a publié la lettre"),
        ("Oscar", "The film won an Oscar"),
        ("Nancy", "There was a strike in Nancy last week"),
        ("Vincent", "La rue Vincent est fermée"),
        ("Hugo", "The site is generated with Hugo"),
        ("Julia", "Julia 1.10 starts faster"),
        ("Vincent", "Un autre Vincent travaille à la mairie"),
        ("Aurore", "On peut voir une aurore boréale"),
        ("Hugo", "We are reading Victor Hugo this term"),
        ("Margaux Leroy", "Papa a ouvert un Château Margaux"),
        ("Chloé Martin", "La Saint-Martin tombe le 11 novembre"),
        ("May Lin", "Lin Chen owns the shop"),
        ("SC", "The sc column is empty"),
        ("Will", "Will this work? It will."),
        ("Rose", "Prices rose by 3 percent"),
        ("May", "We ship in May, you may ask; 3 May 2026"),
        ("Grant", "Grant access to the bucket"),
        ("Hope", "Hope this helps"),
        ("Claire", "la réponse est claire"),
        ("Paris", "We flew to Paris"),
        ("Diego", "San Diego is warm"),
        ("Ann", "Ann Arbor is cold"),
        ("Anne", "Anne-Marie called"),
        ("Priya", "see src/priya.py and the table priya_notes"),
        ("Priya Kapoor", "Priya Sharma joined"),
        ("Priya Kapoor", "Raj Kapoor joined"),
        ("Jean-Luc Moreau", "Jean called"),
        ("Florence", "Notre vol pour Florence part à midi"),
        ("Paris", "Paris is two hours from here by train"),
        ("Victoria", "Lake Victoria is larger than I thought"),
        ("Max", "Max upload time is thirty seconds"),
    ],
)
def test_another_meaning_is_not_a_mention(person: str, text: str) -> None:
    assert names(text, person) == []


@pytest.mark.parametrize(
    ("name", "type", "text"),
    [
        ("Lisbon", "location", "We met in Lisbon last week"),
        ("Paris", "location", "paris is two hours from here by train"),
        ("Atlas", "project", "Beatriz is product owner of Atlas"),
        ("Sentry", "organization", "Errors are reported to Sentry"),
    ],
)
def test_a_place_or_a_project_is_found_where_no_person_is_meant(name: str, type: str, text: str) -> None:
    known = RegisteredName(name, False, name, name, type, type, False)
    assert [mention.text for mention in find_registered(text, [known])] == [name]


def test_a_company_is_no_word() -> None:
    known = RegisteredName("Orange", False, "Orange", "Orange", "organization", "organization", False)
    assert find_registered("the orange is ripe", [known]) == []


def test_a_given_name_of_two_people_names_neither() -> None:
    assert names("Priya agreed", "Priya Kapoor", "Priya Sharma") == []
    assert names("Priya Sharma agreed", "Priya Kapoor", "Priya Sharma") == ["Priya Sharma"]


def test_the_longer_name_wins() -> None:
    assert names("Anne-Marie called", "Anne", "Anne-Marie") == ["Anne-Marie"]


def test_everything_about_a_person(ws: holdfast.Workspace) -> None:
    texts = ["My colleague Priya owns billing.", "Priya wants the export as CSV.", "priya likes short meetings.",
             "PRIYA APPROVED THE RELEASE.", "Ask Priya's manager about it."]  # fmt: skip
    for text in texts:
        ws.remember(text)
    profile = ws.entity("Priya")
    assert sorted(memory.content for memory in profile.memories) == sorted(texts)
    assert (profile.entity.type, profile.entity.relation) == ("person", "colleague")


def test_people_are_recognised_without_a_language_model(ws: holdfast.Workspace) -> None:
    ws.remember("Marta Kowalska leads the QA team, and Mme Dupont called my brother Tom.")
    found = {entity.name: (entity.type, entity.relation) for entity in ws.entities()}
    assert found["Marta Kowalska"] == ("person", None)
    assert found["Dupont"] == ("person", None)
    assert found["Tom"] == ("person", "brother")


def test_older_memories_are_linked_to_a_new_alias_once(ws: holdfast.Workspace) -> None:
    ws.remember("lolo broke the build on Friday.")
    ws.remember("The build is green because LOLO repaired it.")
    ws.add_entity("Élodie Martin", aliases=["Lolo"])
    assert ws.entity("Lolo").memories == ()
    assert ws.upkeep("link")["link"] == {"names": 2, "links": 2}
    assert ws.upkeep("link")["link"] == {"names": 0, "links": 0}
    assert ws.entity("Élodie Martin").entity.mentions == 2


def test_a_rename_and_a_merge_link_older_memories(ws: holdfast.Workspace) -> None:
    ws.remember("bjork signed the lease for the office.")
    ws.remember("The office of Dr. Swan is closed on Mondays.")
    ws.rename_entity("Swan", "Björk")
    ws.upkeep("link")
    assert ws.entity("Swan").entity.mentions == 2


def test_a_reflection_mentions_nobody(ws: holdfast.Workspace) -> None:
    ws.add_entity("Priya")
    ws.remember("Priya decided three things this week.", type="reflection")
    ws.upkeep("link")
    assert ws.entity("Priya").entity.mentions == 0
