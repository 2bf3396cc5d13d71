-- Lists of a large store read the first rows of an index, and not every memory.
create index memories_newest on memories (project_id, created_at, id) where type <> 'episode';
create index memories_confident on memories (project_id, confidence, created_at, id) where type <> 'episode';
create index memories_used on memories (project_id, access_count, created_at, id) where type <> 'episode';
create index memories_forgotten on memories (project_id) where deprecated = 1;

-- An import looks up which statements were imported before.
create index memories_imported on memories (project_id, source_ids) where instr(source_ids, '"import:') > 0;
