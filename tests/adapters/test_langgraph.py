"""The LangGraph store: like the framework's own store, with searches by Holdfast, and under a third party's tools."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast
from tests.adapters.conftest import adapter, run

langgraph = adapter("langgraph")

from langgraph.store.base import GetOp, PutOp, SearchOp  # noqa: E402
from langgraph.store.memory import InMemoryStore  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
LABEL = st.sampled_from(["a", "b", "ab", "a/b", "é%"])
VALUE = st.fixed_dictionaries({"text": st.sampled_from(["tea", "cake"]), "n": st.integers(0, 3)})
STEP = st.tuples(st.lists(LABEL, min_size=1, max_size=3).map(tuple), LABEL, st.none() | VALUE)


@pytest.fixture
def store(ws):
    return langgraph.HoldfastStore(ws)


@settings(max_examples=30)
@given(st.lists(STEP, max_size=8), st.lists(LABEL, max_size=2).map(tuple))
def test_it_behaves_like_the_store_of_the_framework(steps, prefix):
    with holdfast.open(":memory:", "graph", embedder="none") as ws:
        ours, theirs = langgraph.HoldfastStore(ws), InMemoryStore()
        for namespace, key, value in steps:
            for store in (ours, theirs):
                store.delete(namespace, key) if value is None else store.put(namespace, key, value)

        def state(store):
            found = store.search(prefix, limit=100)
            filtered = store.search(prefix, filter={"text": "tea", "n": {"$gte": 2}}, limit=100)
            places = sorted((item.namespace, item.key, str(item.value)) for item in found)
            matching = sorted((item.namespace, item.key) for item in filtered)
            return places, matching, [store.get(namespace, key) is None for namespace, key, _ in steps]

        assert state(ours) == state(theirs)
        full = sorted({namespace for namespace, _, _ in state(ours)[0]} if not prefix else [])
        assert prefix or ours.list_namespaces(limit=100) == full


def test_a_query_finds_by_words_and_meaning_within_its_namespace(store, ws):
    store.put(("users", "ada"), "food", {"text": "Ada is allergic to peanuts", "kind": "health"})
    store.put(("users", "ada"), "city", {"text": "Ada lives in Lyon"})
    store.put(("users", "bob"), "food", {"text": "Bob is allergic to peanuts too"})
    found = store.search(("users", "ada"), query="who is allergic to peanuts?")
    assert [item.key for item in found] == ["food", "city"]
    assert found[0].score > 0
    assert found[1].score is None or found[1].score < found[0].score
    assert "allergic to peanuts" in ws.recall("who is allergic to peanuts?").hits[0].text
    store.delete(("users", "ada"), "food")
    assert "Ada is allergic" not in str(ws.recall("who is allergic to peanuts?", abstain=False).hits)
    store.put(("users", "ada"), "hidden", {"text": "Ada hides peanuts"}, index=False)
    assert "hides" not in str(ws.recall("where are peanuts?", abstain=False).hits)


def test_a_batch_reads_before_it_writes_and_the_last_put_wins(store):
    store.put(("a",), "k", {"n": 1})
    results = store.batch(
        [PutOp(("a",), "k", {"n": 2}), GetOp(("a",), "k"), PutOp(("a",), "k", {"n": 3}), SearchOp(("a",))]
    )
    assert results[1].value == {"n": 1}
    assert results[3][0].value == {"n": 1}
    assert store.get(("a",), "k").value == {"n": 3}
    assert run(store.aget(("a",), "k")).value == {"n": 3}


def test_an_item_expires(store):
    store.put(("a",), "short", {"n": 1}, ttl=-1)
    store.put(("a",), "long", {"n": 2}, ttl=60)
    assert [item.key for item in store.search(("a",))] == ["long"]


def test_the_items_of_a_folder_project_stay_when_its_documents_are_indexed(store, ws, project):
    (project / "README.md").write_text("# Tea\n\nTea is at four.\n", encoding="utf-8")
    store.put(("users",), "k", {"text": "Ada lives in Lyon"})
    ws.index()
    assert store.search(("users",), query="where does Ada live?")[0].score is not None


def test_langmem_works_on_it(store):
    langmem = pytest.importorskip("langmem")
    manage = langmem.create_manage_memory_tool(namespace=("u", "1"), store=store)
    search = langmem.create_search_memory_tool(namespace=("u", "1"), store=store)
    manage.invoke({"content": "Ada likes tea with milk", "action": "create"})
    assert "tea with milk" in str(search.invoke({"query": "what does Ada like?"}))
