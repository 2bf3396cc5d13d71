-- Keeps superseded passages out of searches: a rule that was changed a hundred times has a hundred passages that match
-- a query almost equally well, and the valid one must still be among the first.

-- derived from memories: whether it was forgotten or superseded
alter table passages add column past integer not null default 0;

create trigger memories_past after update of deprecated, valid_until on memories
when (new.deprecated or new.valid_until is not null) is not (old.deprecated or old.valid_until is not null) begin
  update passages set past = new.deprecated or new.valid_until is not null where owner_id = new.id;
end;

-- writes the vector again with a new `seq`, by which processes that hold vectors in memory notice the change
create trigger passages_past after update of past on passages when new.past <> old.past begin
  insert or replace into vectors (passage_id, embedder_id, vector)
  select passage_id, embedder_id, vector from vectors where passage_id = new.id;
end;

update passages set past = 1
where owner_id in (select id from memories where deprecated or valid_until is not null);
