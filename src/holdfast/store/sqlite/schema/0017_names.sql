-- Names are matched without case and accents, and link older memories in the background.

-- derived from entity_names: the folded words by which each name is looked up; `index_words` splits a name
create table name_words (
  project_id text not null,
  word       text not null,
  key        text not null,
  entity     integer not null references entities (number) on delete cascade,
  primary key (project_id, word, key, entity)
) without rowid;
create index name_words_by_entity on name_words (entity);
insert into name_words (project_id, word, key, entity)
select n.project_id, w.value, n.key, n.entity from entity_names n, json_each(index_words(n.name)) w;

-- canonical: names whose older memories are not linked yet
create table pending_names (
  entity integer not null references entities (number) on delete cascade,
  key    text not null,
  primary key (entity, key)
) without rowid;
insert into pending_names (entity, key)
select n.entity, n.key from entity_names n join entities e on e.number = n.entity
where e.type in ('person', 'organization', 'location', 'project') or n.alias = 1;

-- Whether a person named or corrected the entity; of two people with one first name, that one is meant.
alter table entities add column by_hand integer not null default 0;
update entities set by_hand = 1 where protected = 1 or summary is not null
  or number in (select entity from entity_names where alias = 1);

-- How the speaker is related to a person: sister, colleague.
alter table entities add column relation text;
alter table entity_merges add column relation text;

-- Reflections repeat what other memories say, so they mention nobody.
delete from memory_entities where memory_id in (select id from memories where type = 'reflection');

-- The project of a job that works on one project; null for the jobs of the whole store.
alter table job_runs add column project_id text;
