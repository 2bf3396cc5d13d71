-- The words of a short memory enter the vocabulary with its bag. Why no longer with its passage: each piece of a
-- document was asked too whether it is one, and for a large project that took a tenth of the time of indexing it.

drop trigger vocabulary_from_memory;
create trigger vocabulary_from_memory after insert on bags
when (select kind not in ('episode', 'document', 'code') and length(body) <= 500 from passages where id = new.passage_id)
begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.passage_id;
end;
