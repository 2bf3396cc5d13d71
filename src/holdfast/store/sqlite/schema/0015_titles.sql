-- Titles and paths of documents, in a small index of their own: a word that most texts contain is rare in titles.

-- derived from documents: title and path
create table document_titles (
  number      integer primary key,
  document_id text not null unique references documents (id) on delete cascade,
  words       text not null
);
create virtual table titles_fts using fts5 (
  words, content = 'document_titles', content_rowid = 'number', tokenize = 'porter unicode61 remove_diacritics 2'
);
create trigger titles_fts_insert after insert on document_titles begin
  insert into titles_fts (rowid, words) values (new.number, new.words);
end;
create trigger titles_fts_delete after delete on document_titles begin
  insert into titles_fts (titles_fts, rowid, words) values ('delete', old.number, old.words);
end;
create trigger titles_fts_update after update of words on document_titles begin
  insert into titles_fts (titles_fts, rowid, words) values ('delete', old.number, old.words);
  insert into titles_fts (rowid, words) values (new.number, new.words);
end;

create trigger documents_titles_insert after insert on documents begin
  insert into document_titles (document_id, words) values (new.id, coalesce(new.title, '') || ' ' || new.path);
end;
create trigger documents_titles_update after update of title, path on documents
when (new.title, new.path) is not (old.title, old.path) begin
  update document_titles set words = coalesce(new.title, '') || ' ' || new.path where document_id = new.id;
end;

insert into document_titles (document_id, words) select id, coalesce(title, '') || ' ' || path from documents;
