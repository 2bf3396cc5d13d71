"""Fetches an ONNX embedder by name from a hub: pinned to a commit, verified by hash, installed atomically.

Uses the Hugging Face API. An interrupted pull continues where it stopped.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

from holdfast.core.errors import (
    InvalidInput,
    InvalidSettings,
    ModelDamaged,
    ModelError,
    ModelGarbled,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
)
from holdfast.core.frozen import frozen
from holdfast.models.card import read_card, write_card
from holdfast.models.endpoint import Endpoint, RetryPolicy, is_loopback, pause
from holdfast.models.http_connections import ConnectionFailed, HttpConnections, chunks
from holdfast.models.installed import InstalledModel, folder_name, list_models
from holdfast.models.local import LocalEmbedder, tokenizers
from holdfast.models.model_files import CARD, sha256

if TYPE_CHECKING:
    from http.client import HTTPResponse

Progress = Callable[[str, int, int], None]
LARGEST_MODEL = 8 * 1024**3
_REDIRECTS = (301, 302, 303, 307, 308)

# Quantised first: an int8 model is a quarter of the size and faster on a CPU; the measured loss is at most two points.
_ONNX = (
    "onnx/model_quantized.onnx",
    "model_quantized.onnx",
    "onnx/model_int8.onnx",
    "model_int8.onnx",
    "onnx/model.onnx",
    "model.onnx",
)
_NEEDED = ("config.json", "tokenizer.json")
_OPTIONAL = (
    "1_Pooling/config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "LICENSE",
    "LICENSE.txt",
    "NOTICE",
)


def pull(
    name: str,
    folder: Path,
    *,
    hub_url: str,
    revision: str = "main",
    onnx: str = "",
    progress: Progress = lambda file, done, total: None,
    retry_policy: RetryPolicy | None = None,
) -> InstalledModel:
    """Fetches `owner/name` (or `owner/name@revision`) into the folder and returns the installed model.

    Needs the extra `onnx-models`. Takes the int8 file if the model has one, or the file named by `onnx`. The model must
    run before it replaces one pulled earlier. `progress` receives the file, the bytes fetched and the bytes in total.
    """
    tokenizers()  # Fails before the download rather than after it.
    name, _, named_revision = name.partition("@")
    hub = _Hub(hub_url, retry_policy or RetryPolicy())
    with closing(hub):
        commit, listed = hub.files(name, named_revision or revision)
        wanted = _choose(name, listed, onnx)
        _check_space(wanted, folder)
        staging = folder / ".pulling" / f"{folder_name(name)}@{commit}"
        for file in wanted:
            hub.fetch(name, commit, file, staging / file.path, progress)
    _describe(staging, name, commit, wanted)
    return _install(staging, folder, name)


@frozen
class _File:
    """A file listed by the hub. `sha256` is empty unless the file is in LFS; then `git`, the blob hash, verifies it."""

    path: str
    size: int
    sha256: str
    git: str


class _Hub:
    """A connection to a hub: lists and downloads the files of a model."""

    def __init__(self, url: str, retry_policy: RetryPolicy) -> None:
        if not url.startswith("https://") and not is_loopback(url):
            raise InvalidSettings("hub_url must begin with https://")
        self._url = url.rstrip("/")
        self._retry_policy = retry_policy
        self._endpoint = Endpoint(url, retry_policy=retry_policy)

    def close(self) -> None:
        self._endpoint.close()

    def files(self, name: str, revision: str) -> tuple[str, tuple[_File, ...]]:
        """Returns the commit of a revision and the files of that commit."""
        folder_name(name)
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,100}", revision) or ".." in revision:
            raise InvalidInput(f"{revision!r} is not a revision", hint="Give a branch, a tag or a commit.")
        try:
            answer = self._endpoint.get(f"/api/models/{name}/revision/{quote(revision, safe='')}")
            commit = _commit(answer)
            tree = self._endpoint.get(f"/api/models/{name}/tree/{commit}?recursive=true")
        except ModelRefused as refusal:
            raise ModelMissing(
                f"{name} at {revision} ({refusal.detail})", hint="Check its name on the hub."
            ) from refusal
        return commit, _listed(tree)

    def fetch(self, name: str, commit: str, file: _File, to: Path, progress: Progress) -> None:
        """Downloads a file unless it is already there; continues the partial file of an interrupted download."""
        if to.is_file() and _matches(to, file):
            return
        to.parent.mkdir(parents=True, exist_ok=True)
        partial = to.with_name(to.name + ".part")
        url = f"{self._url}/{name}/resolve/{commit}/{quote(file.path)}"
        self._download(url, file, partial, progress)
        if not _matches(partial, file):
            partial.unlink()
            raise ModelDamaged(f"{file.path} of {name} arrived with another hash than the hub lists")
        partial.replace(to)

    def _download(self, url: str, file: _File, partial: Path, progress: Progress) -> None:
        policy = self._retry_policy
        for attempt in range(policy.retries + 1):
            try:
                return self._continue(url, file, partial, progress)
            except (ConnectionFailed, _Unfinished) as error:
                failure = error
            if attempt < policy.retries:
                policy.sleep(pause(attempt, None, policy.random))
        raise ModelUnreachable(
            f"{file.path} ({failure or type(failure).__name__})", hint="Pull again: it continues where it stopped."
        ) from failure

    def _continue(self, url: str, file: _File, partial: Path, progress: Progress) -> None:
        done = partial.stat().st_size if partial.is_file() else 0
        if done >= file.size:
            partial.unlink(missing_ok=True)
            done = 0
        with self._opened(url, done) as response:
            done = _resumed_at(response, done, file)
            with partial.open("ab" if done else "wb") as out:
                for data in chunks(response):
                    done += len(data)
                    if done > file.size:
                        raise ModelGarbled(f"{file.path} is longer than the hub lists")
                    out.write(data)
                    progress(file.path, done, file.size)
        if done < file.size:
            raise _Unfinished(f"the connection ended after {done} of {file.size} bytes")

    @contextmanager
    def _opened(self, url: str, start: int) -> Iterator[HTTPResponse]:
        """Yields the open response, after following the hub's redirects to its storage of large files."""
        headers = {"Range": f"bytes={start}-"} if start else {}
        for _ in range(5):
            parts = urlsplit(url)
            target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
            with closing(HttpConnections(url)) as client:
                with client.request("GET", target, self._retry_policy.timeout, headers=headers) as response:
                    if response.status not in _REDIRECTS or not response.headers["location"]:
                        yield response
                        return
                url = self._safe(urljoin(url, response.headers["location"]))
        raise ModelRefused("the hub redirects without end")

    def _safe(self, url: str) -> str:
        local = is_loopback(url) and is_loopback(self._url)
        if urlsplit(url).scheme != "https" and not local:
            raise ModelRefused(f"the hub redirects to an address that is not https ({urlsplit(url).hostname})")
        return url


class _Unfinished(Exception):
    """The server closed the connection before the file was complete."""


def _commit(answer: Any) -> str:
    commit = answer.get("sha") if isinstance(answer, dict) else None
    if not isinstance(commit, str) or not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise ModelGarbled("the hub does not name a commit", hint="Check hub_url.")
    return commit


def _listed(tree: Any) -> tuple[_File, ...]:
    try:
        return tuple(_file(entry) for entry in tree if entry["type"] == "file")
    except (KeyError, TypeError, AttributeError) as error:
        raise ModelGarbled("the hub's list of files cannot be read", hint="Check hub_url.") from error


def _file(entry: Mapping[str, Any]) -> _File:
    path, size = entry["path"], entry["size"]
    hashes = (entry.get("lfs") or {}).get("oid", ""), entry["oid"]
    if not _is_safe(path):
        raise ModelRefused(f"the hub lists a file outside the model's folder: {path!r}", hint="Do not use this model.")
    if not isinstance(size, int) or size < 0 or not all(isinstance(text, str) for text in hashes):
        raise ModelGarbled(f"the hub lists {path} without a proper size or hash")
    return _File(path, size, hashes[0].removeprefix("sha256:"), hashes[1])


def _is_safe(path: str) -> bool:
    """Is the path relative, and does it stay below its folder on every operating system?"""
    parts = path.split("/")
    return (
        not re.search(r'[\x00-\x1f\x7f\\:*?"<>|]', path)
        and not PurePosixPath(path).is_absolute()
        and all(part not in ("", ".", "..") and not part.endswith((" ", ".part")) for part in parts)
        and path != CARD
    )


def _choose(name: str, listed: Sequence[_File], onnx: str) -> tuple[_File, ...]:
    known = {file.path: file for file in listed}
    missing = [path for path in _NEEDED if path not in known]
    if missing:
        raise ModelMissing(f"{name} lacks {', '.join(missing)}", hint="Choose a model with ONNX and tokenizer.json.")
    model = _choose_onnx(name, known, onnx)
    data = [path for path in (f"{model}_data", f"{model}.data") if path in known]
    optional = [path for path in _OPTIONAL if path in known]
    return tuple(known[path] for path in (*_NEEDED, *optional, *data, model))


def _choose_onnx(name: str, known: Iterable[str], onnx: str) -> str:
    present = sorted(path for path in known if path.endswith(".onnx"))
    choices = [onnx] if onnx else [*_ONNX, *present[: len(present) == 1]]
    for path in choices:
        if path in present:
            return path
    offer = f"It has: {', '.join(present)}." if present else "Choose a model that has one."
    raise ModelMissing(f"{name} has no {onnx or 'ONNX file of a known name'}", hint=offer)


def _check_space(wanted: Sequence[_File], folder: Path) -> None:
    size = sum(file.size for file in wanted)
    if size > LARGEST_MODEL:
        raise ModelRefused(f"the model takes {size / 1e9:.1f} GB", hint="Choose a smaller one.")
    folder.mkdir(parents=True, exist_ok=True)
    if size > shutil.disk_usage(folder).free:
        raise ModelError(f"the model takes {size / 1e6:.0f} MB and the disk has less", hint="Free some space.")


def _resumed_at(response: HTTPResponse, start: int, file: _File) -> int:
    """Returns the position in the file at which the response's body begins."""
    if response.status == 206 and response.headers.get("content-range", "").startswith(f"bytes {start}-"):
        return start
    if response.status == 200:
        return 0
    if response.status >= 500 or response.status in (408, 416, 429):
        raise _Unfinished(f"the hub answered {response.status}")
    raise ModelRefused(f"the hub answered {response.status} for {file.path}")


def _matches(downloaded: Path, file: _File) -> bool:
    if file.sha256:
        return sha256(downloaded) == file.sha256
    content = downloaded.read_bytes()
    git = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False)
    return git.hexdigest() == file.git


def _describe(staging: Path, name: str, commit: str, wanted: Sequence[_File]) -> None:
    """Writes the model's card and checks that the model runs."""
    model = wanted[-1].path
    (staging / CARD).unlink(missing_ok=True)
    card = replace(read_card(staging), name=name, revision=commit, model=model)
    write_card(staging, replace(card, files={file.path: sha256(staging / file.path) for file in wanted}))
    LocalEmbedder(staging).embed(["ready"])


def _install(staging: Path, folder: Path, name: str) -> InstalledModel:
    place, replaced = folder / folder_name(name), staging.with_name("replaced")
    shutil.rmtree(replaced, ignore_errors=True)
    if place.exists():
        place.rename(replaced)
    staging.rename(place)
    shutil.rmtree(replaced, ignore_errors=True)
    return next(model for model in list_models(folder) if model.folder == place)
