-- An owner offers their project to another person. A day after that person has accepted, it takes effect.
-- additive
create table project_transfers (
  project_id text primary key,
  from_id uuid not null,
  -- Null: an address that is invited but has not joined.
  to_id uuid,
  to_email text not null,
  to_email_key text not null,
  requested_at timestamptz not null default now(),
  -- Until then it can be accepted.
  expires_at timestamptz not null,
  accepted_at timestamptz,
  due_at timestamptz,
  check ((accepted_at is null) = (due_at is null)),
  check (accepted_at is null or to_id is not null)
);
create index project_transfers_by_sender on project_transfers (from_id);
create index project_transfers_by_recipient on project_transfers (to_id);

-- Last, because they lock the accounts until the commit.
alter table project_transfers
  add foreign key (from_id) references accounts on delete cascade,
  add foreign key (to_id) references accounts on delete cascade;
