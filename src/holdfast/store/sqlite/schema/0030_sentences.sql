-- Vectors of single sentences, for long messages of people.

-- derived from passages by a model: the packed vectors of a message's sentences (`store/vectors/four_bits.py`). A row
-- without them waits for the background; `embedder_id` and `size` say which model made them.
create table sentences (
  passage_id  integer primary key references passages (id) on delete cascade,
  embedder_id integer references embedders (id),
  size        integer not null default 0,
  vectors     blob
);
create index sentences_waiting on sentences (embedder_id, size, passage_id desc);

-- A message is queued with its word bag, which the background makes: storing it must stay fast.
create trigger sentences_from_bag after insert on bags when new.kind = 'episode' and new.role is not 'assistant' begin
  insert or ignore into sentences (passage_id)
  select id from passages where id = new.passage_id and length(body) > 160;
end;

drop trigger passages_traits_update;
create trigger passages_traits_update after update of body, tags, files on passages begin
  delete from bags where passage_id = new.id;
  delete from sentences where passage_id = new.id;
end;

insert into sentences (passage_id)
select p.id from bags b cross join passages p on p.id = b.passage_id
where b.kind = 'episode' and b.role is not 'assistant' and length(p.body) > 160;
