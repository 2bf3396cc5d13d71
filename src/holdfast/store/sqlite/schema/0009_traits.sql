-- Properties for weighing, stored with the bag, so that weighing reads one row per candidate.

-- derived from passages and memories: type, role and session
alter table bags add column kind text;
alter table bags add column role text;
alter table bags add column session text;

update bags set (kind, role, session) = (
  select coalesce(m.type, p.kind), m.source_role, m.session_id
  from passages p left join memories m on m.id = p.owner_id where p.id = bags.passage_id);

create trigger memories_traits_update after update of type, source_role, session_id on memories
when (new.type, new.source_role, new.session_id) is not (old.type, old.source_role, old.session_id) begin
  update bags set kind = new.type, role = new.source_role, session = new.session_id
  where passage_id = (select id from passages where owner_id = new.id);
end;
