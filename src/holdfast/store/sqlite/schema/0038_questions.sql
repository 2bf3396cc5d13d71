-- The questions that a memory answers, in other words than its own. They are searched, never shown as its text.

-- canonical: up to four texts, as JSON
alter table memories add column questions text not null default '[]';
-- A search looks up the memories with questions, which may be few among many.
create index memories_asked on memories (project_id) where questions <> '[]';

-- Table `sentences`: for a memory the vectors of its questions, one per question, queued with its word bag like those of
-- the sentences of a message.
create trigger questions_from_bag after insert on bags when new.kind is not 'episode' begin
  insert or ignore into sentences (passage_id)
  select p.id from passages p cross join memories m on m.id = p.owner_id
  where p.id = new.passage_id and m.questions <> '[]';
end;
