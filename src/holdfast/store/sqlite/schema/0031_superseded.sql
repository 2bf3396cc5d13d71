-- A search looks up which messages say something outdated: through the superseded memories of their sessions, which are
-- few, and not through all messages of these sessions.
create index memories_superseded on memories (project_id, session_id) where valid_until is not null and type <> 'episode';
