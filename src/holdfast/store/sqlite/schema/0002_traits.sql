-- Data for ranking, stored beside the passage so that a query reads no texts.

-- derived from passages: word bags, four bytes per word
create table bags (
  passage_id integer primary key references passages (id) on delete cascade,
  bag        blob not null
);

-- derived from passages by a model: sentence vectors and token codes for late interaction
create table codes (
  passage_id  integer primary key references passages (id) on delete cascade,
  embedder_id integer not null references embedders (id),
  views       blob not null,
  tokens      blob not null
);

create trigger passages_traits_update after update of body, tags, files on passages begin
  delete from bags where passage_id = new.id;
  delete from codes where passage_id = new.id;
end;

-- for searches by time
create index memories_by_moment on memories (project_id, coalesce(event_time, created_at));

-- for co-access from either side, and for the few memories with relations
create index co_access_by_b on co_access (b);
create index memories_tied on memories (project_id) where relations <> '[]';

-- embeds all passages again in the background, to add sentence and token codes
update passages set embedder_id = null;
