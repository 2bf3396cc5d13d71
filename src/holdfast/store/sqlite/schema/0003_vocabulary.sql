-- Known words, to correct misspelt ones. Beside the full-text index, because looking up a spelling there costs ten
-- times as much, and because it contains stems.

-- derived from passages: every plain word of four letters or more, each once; a word may outlive its passages.
-- The words of a short memory are added at once, those of messages and long texts with their vectors, so that storing
-- them stays cheap.
create table vocabulary (
  word text primary key
) without rowid;

-- splits a passage at blanks, dashes and slashes, and trims punctuation
create view passage_words as
select passage_id, word from (
  select p.id as passage_id, trim(lower(split.value), '.,;:!?()[]{}<>"''`*_“”„«»‘’…|=#') as word
  from passages p, json_each('[' || replace(json_quote(
    replace(replace(replace(replace(p.body, char(10), ' '), char(9), ' '), '-', ' '), '/', ' ')), ' ', '","') || ']') split
  where length(split.value) > 3)
where length(word) between 4 and 24 and word not glob '*[^a-zÀ-ɏͰ-ӿ]*';

insert or ignore into vocabulary select word from passage_words;

create trigger vocabulary_from_memory after insert on passages
when new.kind <> 'episode' and length(new.body) <= 500 begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.id;
end;
create trigger vocabulary_from_vector after insert on vectors begin
  insert or ignore into vocabulary select word from passage_words where passage_id = new.passage_id;
end;
