-- What is no longer believed does not stand in the way of what is: a rule that was changed a hundred times has a hundred
-- passages that all say nearly what is asked, and the one that holds must still be among the first.

-- derived from memories: was it forgotten, or replaced by something newer?
alter table passages add column past integer not null default 0;

create trigger memories_past after update of deprecated, valid_until on memories
when (new.deprecated or new.valid_until is not null) is not (old.deprecated or old.valid_until is not null) begin
  update passages set past = new.deprecated or new.valid_until is not null where owner_id = new.id;
end;

-- a vector is given anew, with a new `seq`: by that those who hold vectors in memory hear of it
create trigger passages_past after update of past on passages when new.past <> old.past begin
  insert or replace into vectors (passage_id, embedder_id, vector)
  select passage_id, embedder_id, vector from vectors where passage_id = new.id;
end;

update passages set past = 1
where owner_id in (select id from memories where deprecated or valid_until is not null);
