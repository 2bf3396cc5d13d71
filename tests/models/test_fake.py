from __future__ import annotations

import pytest

from holdfast.core.errors import ModelRefused
from holdfast.models.fake import FakeChat, FakeEmbedder, FakeReranker


def test_texts_that_share_stems_lie_closer() -> None:
    near, far = FakeEmbedder().embed(["deploying the services", "a bowl of rice"])
    query = FakeEmbedder().embed_query("deploy a service")
    assert query @ near > query @ far + 0.2


def test_reranks_by_shared_words() -> None:
    assert FakeReranker().rerank("red fish", ["a red fish", "a red hat", "none"]) == (1.0, 0.5, 0.0)
    assert FakeReranker().rerank("", ["x"]) == (0.0,)


def test_chat_follows_its_script() -> None:
    chat = FakeChat(["one", "two words"])
    assert [chat.complete("be brief", "go").text, chat.complete("", "on").completion_tokens] == ["one", 2]
    assert chat.asked == [("be brief", "go"), ("", "on")]
    with pytest.raises(ModelRefused):
        chat.complete("", "more")
