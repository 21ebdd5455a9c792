-- People other than its owner who work on a project, each with one role. The owner stays in projects.
-- additive
create table project_members (
  project_id text not null,
  account_id uuid not null references accounts on delete cascade,
  role text not null check (role in ('admin', 'developer', 'finance', 'support')),
  -- What this member gets mails about.
  mails text[] not null,
  since timestamptz not null default now(),
  primary key (project_id, account_id)
);
create index project_members_by_account on project_members (account_id);
