-- Sentence vectors are no longer made.

drop trigger passages_traits_update;
drop table views;
create trigger passages_traits_update after update of body, tags, files on passages begin
  delete from bags where passage_id = new.id;
end;
