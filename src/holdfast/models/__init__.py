"""Models that embed, rerank, chat and count tokens; local by default, over HTTP by choice."""
