-- `entities.mentions` counts only memories that hold: neither forgotten nor replaced.
drop trigger memory_entities_added;
drop trigger memory_entities_removed;

create trigger memory_entities_added after insert on memory_entities
when exists (select 1 from memories m where m.id = new.memory_id and m.deprecated = 0 and m.valid_until is null) begin
  update entities set mentions = mentions + 1 where number = new.entity;
end;

create trigger memory_entities_removed after delete on memory_entities
when exists (select 1 from memories m where m.id = old.memory_id and m.deprecated = 0 and m.valid_until is null) begin
  update entities set mentions = mentions - 1 where number = old.entity;
end;

-- Before: when the links of a deleted memory are deleted, the memory is gone.
create trigger memory_entities_deleted before delete on memories
when old.deprecated = 0 and old.valid_until is null begin
  update entities set mentions = mentions - 1
  where number in (select entity from memory_entities where memory_id = old.id);
end;

create trigger memory_entities_changed after update of deprecated, valid_until on memories
when (old.deprecated = 0 and old.valid_until is null) <> (new.deprecated = 0 and new.valid_until is null) begin
  update entities set mentions = mentions + iif(new.deprecated = 0 and new.valid_until is null, 1, -1)
  where number in (select entity from memory_entities where memory_id = new.id);
end;

update entities set mentions = (
  select count(*) from memory_entities l cross join memories m on m.id = l.memory_id
  where l.entity = entities.number and m.deprecated = 0 and m.valid_until is null);
