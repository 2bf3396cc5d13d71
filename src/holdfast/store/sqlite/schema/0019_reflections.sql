-- Reflections that only counted words ("12 memories from 3 sessions: 9 fact. ## Themes …") are forgotten: they told
-- nothing and took a large part of every context. `holdfast restore` brings one back.
insert into memory_events (memory_id, at, verb, reason)
select id, created_at, 'forget', 'reflections no longer count words' from memories
where type = 'reflection' and deprecated = 0 and content glob '[0-9]* memories*: *'
  and json_extract(attributes, '$.how') = 'extract';
update memories set deprecated = 1, deprecated_at = created_at
where type = 'reflection' and deprecated = 0 and content glob '[0-9]* memories*: *'
  and json_extract(attributes, '$.how') = 'extract';
