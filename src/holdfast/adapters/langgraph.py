"""LangGraph: a store whose items last, and are searched by Holdfast or by the embedding model of an `index`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any

from holdfast.adapters.agent_memory import not_installed
from holdfast.core.errors import NotFound
from holdfast.core.item import ItemChange, StoredItem, joined, parted

try:
    from langgraph.store.base import (
        BaseStore,
        GetOp,
        Item,
        ListNamespacesOp,
        PutOp,
        SearchItem,
        SearchOp,
        ensure_embeddings,
        get_text_at_path,
        tokenize_path,
    )
    from langgraph.store.base import validate_op_namespace as check_namespace
except ImportError as error:
    raise not_installed("LangGraph", "langgraph", error) from None

if TYPE_CHECKING:
    from holdfast.workspace import Workspace

_VALUES, _VECTORS = "langgraph", "langgraph-vectors"
_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, other: value == other,
    "$ne": lambda value, other: value != other,
    "$gt": lambda value, other: float(value) > float(other),
    "$gte": lambda value, other: float(value) >= float(other),
    "$lt": lambda value, other: float(value) < float(other),
    "$lte": lambda value, other: float(value) <= float(other),
}
_PER_HIT = 4

Vectors = Mapping[str, Sequence[float]]


class HoldfastStore(BaseStore):
    """A `BaseStore` in a workspace. Several processes may use it. Secrets in values are replaced by placeholders.

    Without `index`, a query is answered by words and meaning, as everything else in Holdfast, and `ws.recall` finds the
    texts too. With `index`, as other stores have it, its embedding model alone decides.
    """

    supports_ttl = True

    def __init__(self, ws: Workspace, *, index: Any = None, ttl: Any = None) -> None:
        self._ws = ws
        self._items = ws.items
        self.index_config = index
        self.embeddings = ensure_embeddings(index.get("embed")) if index else None
        self.ttl_config = ttl
        fields = (index or {}).get("fields") or ["$"]
        self._fields = [(path, tokenize_path(path) if path != "$" else path) for path in fields]

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        """Answers operations; what they put is visible after all of them."""
        ops = list(ops)
        for op in ops:
            check_namespace(op)
        results = [self._answer(op) for op in ops]
        self._put({(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}.values())
        return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        """Answers operations in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _answer(self, op: Any) -> Any:
        if isinstance(op, GetOp):
            found = self._items.get((_VALUES, *op.namespace), op.key)
            return _item(found, Item) if found else None
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        found = self._items.under((_VALUES, *op.namespace_prefix))
        matching = [item for item in found if _passes(item.value, op.filter or {})]
        if not op.query:
            return [_item(item, SearchItem) for item in matching[op.offset : op.offset + op.limit]]
        scores = self._by_model(op) if self.embeddings else self._by_holdfast(op)
        scored = {(item.space, item.key): item for item in matching}
        ranked = [(scored.pop(place), score) for place, score in scores if place in scored]
        # Fewer than asked for have a score: the others follow without one, as in other stores.
        rest = [(item, None) for item in scored.values()]
        page = islice((*ranked, *rest), op.offset, op.offset + op.limit)
        return [_item(item, SearchItem, score=score) for item, score in page]

    def _by_model(self, op: SearchOp) -> list[tuple[tuple[tuple[str, ...], str], float]]:
        import numpy as np

        assert self.embeddings is not None
        query = np.asarray(self.embeddings.embed_query(op.query or ""), dtype=float)
        best: list[tuple[tuple[tuple[str, ...], str], float]] = []
        for item in self._items.under((_VECTORS, *op.namespace_prefix)):
            vectors = np.asarray(list(item.value.values()), dtype=float)
            lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
            cosines = np.divide(vectors @ query, lengths, out=np.zeros(len(vectors)), where=lengths > 0)
            best.append((((_VALUES, *item.space[1:]), item.key), float(cosines.max())))
        return sorted(best, key=lambda found: -found[1])

    def _by_holdfast(self, op: SearchOp) -> list[tuple[tuple[tuple[str, ...], str], float]]:
        folder = joined((_VALUES, *op.namespace_prefix))
        limit = _PER_HIT * (op.offset + op.limit)
        hits = self._ws.search_documents(op.query or "", limit=limit, per_document=1, files=[folder]).hits
        places = (parted(hit.document.path) for hit in hits if hit.document)
        return [((place[:-1], place[-1]), hit.score) for place, hit in zip(places, hits, strict=True)]

    def _namespaces(self, op: ListNamespacesOp) -> list[tuple[str, ...]]:
        spaces = [space[1:] for space in self._items.spaces() if space[0] == _VALUES]
        conditions = op.match_conditions or ()
        matching = (space for space in spaces if all(_matches(condition, space) for condition in conditions))
        cut = sorted({space[: op.max_depth] if op.max_depth else space for space in matching})
        return cut[op.offset : op.offset + op.limit]

    def _put(self, ops: Iterable[PutOp]) -> None:
        ops = list(ops)
        expires = {id(op): self._ws.container.now() + timedelta(minutes=op.ttl) for op in ops if op.ttl is not None}
        values = [ItemChange((_VALUES, *op.namespace), op.key, op.value, expires.get(id(op))) for op in ops]
        self._items.change([*values, *self._vectors(ops)] if ops else [])
        if self.embeddings is None:
            for op in ops:
                self._index(op)

    def _index(self, op: PutOp) -> None:
        """Makes the texts of a value searchable, or removes them."""
        path = joined((_VALUES, *op.namespace, op.key))
        texts = [text for texts in self._texts(op).values() for text in texts]
        if texts:
            self._ws.add_document(path, "\n\n".join(texts), "text", title=op.key, label=_VALUES)
        else:
            with suppress(NotFound):
                self._ws.remove_document(path)

    def _texts(self, op: PutOp) -> dict[str, list[str]]:
        """The texts of a value to search for, by their path in it."""
        if op.value is None or op.index is False:
            return {}
        paths = self._fields if op.index is None else [(path, tokenize_path(path)) for path in op.index]
        return {path: texts for path, tokens in paths if (texts := get_text_at_path(op.value, tokens))}

    def _vectors(self, ops: Sequence[PutOp]) -> list[ItemChange]:
        if self.embeddings is None:
            return []
        changes = []
        for op in ops:
            named = {f"{path}.{n}": text for path, texts in self._texts(op).items() for n, text in enumerate(texts)}
            vectors = dict(zip(named, self.embeddings.embed_documents(list(named.values())), strict=True))
            changes.append(ItemChange((_VECTORS, *op.namespace), op.key, vectors or None))
        return changes


def _item(found: StoredItem, kind: Any, **more: Any) -> Any:
    times = {"created_at": found.created_at, "updated_at": found.updated_at}
    return kind(namespace=found.space[1:], key=found.key, value=found.value, **times, **more)


def _passes(value: Any, wanted: Any) -> bool:
    """Does a value have what a filter wants? Mappings are compared by the wanted keys only."""
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_holds(name, value, other) for name, other in wanted.items())
        return isinstance(value, dict) and all(_passes(value.get(name), other) for name, other in wanted.items())
    if isinstance(wanted, list | tuple):
        same_length = isinstance(value, list | tuple) and len(value) == len(wanted)
        return same_length and all(map(_passes, value, wanted))
    return bool(value == wanted)


def _holds(name: str, value: Any, other: Any) -> bool:
    if name not in _COMPARE:
        raise ValueError(f"Unsupported operator: {name}")
    try:
        return bool(_COMPARE[name](value, other))
    except (TypeError, ValueError):
        return False  # Not a number, or missing.


def _matches(condition: Any, space: Sequence[str]) -> bool:
    path = condition.path
    if len(space) < len(path):
        return False
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Unsupported match type: {condition.match_type}")
    compared = space[: len(path)] if condition.match_type == "prefix" else space[len(space) - len(path) :]
    return all(wanted in ("*", part) for part, wanted in zip(compared, path, strict=True))
