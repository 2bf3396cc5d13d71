-- canonical: values that applications keep by space and key, such as the items of an agent framework's session.
-- `space` is a path of escaped parts, so that spaces can be nested.
create table items (
  project_id text not null references projects (id) on delete cascade,
  space      text not null,
  key        text not null,
  value      text not null,
  created_at text not null,
  updated_at text not null,
  expires_at text,
  primary key (project_id, space, key)
) without rowid;
