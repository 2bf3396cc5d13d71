-- derived from vectors: how the cosines of the model are distributed, as JSON; null if its card says so or nothing was
-- measured yet
alter table embedders add column cosines text;
