"""What is remembered, as files people can read and edit: MEMORY.md, HISTORY.md and a JSONL of each session."""
