-- What the final ranking compares, kept beside the passage so that no text is read again for every question.

-- derived from passages: which words a passage holds and how often, four bytes a word
create table bags (
  passage_id integer primary key references passages (id) on delete cascade,
  bag        blob not null
);

-- derived from passages by a model: vectors of single sentences, and a short code for each telling token
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

-- what was said or happened in a stretch of time
create index memories_by_moment on memories (project_id, coalesce(event_time, created_at));

-- who was found with whom, asked from either side; and the few memories that have relations at all
create index co_access_by_b on co_access (b);
create index memories_tied on memories (project_id) where relations <> '[]';

-- what has its vector already is looked at again in the background, for the closer look
update passages set embedder_id = null;
