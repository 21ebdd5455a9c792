-- Invitations to a project, sent by mail: each works once, for one address, for a limited time.
-- additive
create table project_invitations (
  id uuid primary key,
  token_hash bytea not null unique,
  project_id text not null,
  invited_by uuid not null references accounts on delete cascade,
  email text not null,
  email_key text not null,
  role text not null check (role in ('admin', 'developer', 'finance', 'support')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Accepted, cancelled or replaced by another.
  ended_at timestamptz
);
create unique index project_invitations_open on project_invitations (project_id, email_key) where ended_at is null;
create index project_invitations_by_inviter on project_invitations (invited_by);
create index project_invitations_by_expiry on project_invitations (expires_at);
-- An account that an invitation created while sign-up was closed owns no projects.
alter table accounts add column invited_at timestamptz;
