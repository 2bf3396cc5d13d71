-- A search looks up the memories that were stored on purpose, which are few: in a partial index, not among all messages.
create index memories_taught on memories (project_id, type, source)
where type <> 'episode' and source in ('user_taught', 'agent_explicit');
