-- The size of the model that made each vector: a larger size of the same model replaces a smaller one.

alter table vectors add column size integer not null default 0;

-- derived from vectors: the size of the current vector; 0 for a model with one size, and where there is none
alter table passages add column vector_size integer not null default 0;
drop index passages_waiting;
create index passages_waiting on passages (embedder_id, vector_size, priority, id desc);

-- derived from vectors: whether all vectors of the model were deleted. Its row stays, so that no number is used twice.
alter table embedders add column emptied integer not null default 0;

drop trigger passages_past;
create trigger passages_past after update of past on passages when new.past <> old.past begin
  insert or replace into vectors (passage_id, embedder_id, vector, size)
  select passage_id, embedder_id, vector, size from vectors where passage_id = new.id;
end;

-- ascending, because rows come in this order: a descending index leaves half of each page empty
drop index memories_by_type;
create index memories_by_type on memories (project_id, type, created_at);

-- Token codes are no longer made; sentence vectors have a table of their own. The background makes them again.
drop trigger passages_traits_update;
drop table codes;

-- derived from passages by a model: packed vectors of single sentences
create table views (
  passage_id  integer primary key references passages (id) on delete cascade,
  embedder_id integer not null references embedders (id),
  views       blob not null
);

create trigger passages_traits_update after update of body, tags, files on passages begin
  delete from bags where passage_id = new.id;
  delete from views where passage_id = new.id;
end;

-- Adds the words of a passage with its bag, whatever its kind. Vectors are now stored together with the text, and
-- splitting a message into words would take longer than storing it.
drop trigger vocabulary_from_vector;
drop trigger vocabulary_from_memory;
insert or ignore into vocabulary select word from passage_words where passage_id in (
  select p.id from passages p join bags b on b.passage_id = p.id where p.embedder_id is null);
create trigger vocabulary_from_bag after insert on bags begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.passage_id;
end;
