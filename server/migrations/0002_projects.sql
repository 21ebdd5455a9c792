-- A merchant's integrations and their signing secrets.
create table projects (
  id text primary key,
  owner_id uuid not null references accounts on delete cascade,
  -- Five seats per account, so that a sixth active project cannot exist even if the code miscounts.
  slot smallint not null check (slot between 1 and 5),
  name text not null check (char_length(name) between 1 and 80),
  result_url text not null,
  api_url text not null,
  test_api_url text,
  require_signed_links boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index projects_slot on projects (owner_id, slot) where archived_at is null;
create index projects_by_owner on projects (owner_id, created_at);

-- Sealed with a key that is not in the database (the sealed bytes begin with that key's id). One current secret per mode: replacing it is one statement,
-- and from its commit on the old one is gone for every replica.
create table project_secrets (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  version integer not null default 1 check (version > 0),
  sealed bytea not null,
  rotated_at timestamptz not null default now(),
  primary key (project_id, mode)
);
