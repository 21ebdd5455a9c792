-- A live secret that is issued ahead of its rotation, so that a merchant's server knows it before the old one stops.
-- additive
create table next_secrets (
  project_id text primary key,
  sealed bytea not null,
  -- Who prepared it, and the version of their password then: a new password ends it.
  prepared_by uuid not null,
  credential_version integer not null,
  prepared_at timestamptz not null default now(),
  expires_at timestamptz not null
);
-- Last, because they lock the accounts and the projects until the commit.
alter table next_secrets add foreign key (prepared_by) references accounts on delete cascade;
alter table next_secrets add foreign key (project_id) references projects on delete cascade;
