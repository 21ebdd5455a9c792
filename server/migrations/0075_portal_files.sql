-- The files of the portals of all releases that ran lately, so that each process can serve the pages of every other one.
-- additive
create table portal_files (
  name text primary key,
  plain bytea not null,
  gzip bytea,
  brotli bytea,
  stored_at timestamptz not null default now(),
  -- Since when no process has started that contains it. Null: the last one to start does.
  replaced_at timestamptz
);
create index portal_files_by_replacement on portal_files (replaced_at) where replaced_at is not null;
-- Two of the three are compressed already.
alter table portal_files
  alter column plain set storage external,
  alter column gzip set storage external,
  alter column brotli set storage external;
