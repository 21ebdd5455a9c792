-- People who run shops: who they are, how they prove it, what they did, and the mails they are owed.
create table accounts (
  id uuid primary key,
  email text not null,
  -- What sign-in compares: addresses differ for people only in more than their letter case.
  email_key text not null unique check (email_key = lower(email_key)),
  email_confirmed_at timestamptz,
  password_hash text not null,
  -- Counts password changes, so that a step-up given under an old password ends with it.
  credential_version integer not null default 1,
  locale text not null check (locale in ('cnr', 'en')),
  time_zone text not null default 'Europe/Podgorica',
  theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
  kyc_verified_at timestamptz,
  created_at timestamptz not null default now()
);

-- Only hashes of tokens are kept: a dump of this table lets nobody in.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ip text not null,
  user_agent text not null,
  step_up_hash bytea check (length(step_up_hash) = 32),
  step_up_until timestamptz,
  step_up_credential_version integer,
  check ((step_up_hash is null) = (step_up_until is null) and (step_up_hash is null) = (step_up_credential_version is null))
);
create index sessions_by_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- Browsers an account has signed in from. They get a lockout bucket of their own, so a stranger cannot lock the owner out.
create table devices (
  account_id uuid not null references accounts on delete cascade,
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (account_id, token_hash)
);

-- One row per bucket holding the times of its recent attempts; reserving a slot is one upsert under this row's lock.
create table lockout_buckets (
  bucket text primary key,
  attempts timestamptz[] not null,
  last_at timestamptz not null default now()
);
create index lockout_buckets_by_age on lockout_buckets (last_at);

-- Links sent by mail: each works once and for a while. `email` is the address it confirms.
create table mail_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('confirm_email', 'change_email', 'reset_password')),
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_tokens_by_account on mail_tokens (account_id, purpose);

-- Mails are written by the request that causes them, in its transaction, and sent by a worker.
create table mails (
  id uuid primary key,
  account_id uuid references accounts on delete cascade,
  kind text not null,
  to_address text not null,
  locale text not null check (locale in ('cnr', 'en')),
  facts jsonb not null default '{}',
  -- The link's token, sealed under the master key; wiped once the mail is out.
  sealed_token bytea,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  gave_up_at timestamptz,
  last_error text
);
create index mails_due on mails (next_at) where sent_at is null and gave_up_at is null;

-- What was done, by whom, from where. Values of secrets never stand here.
create table audit_events (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  project_id text,
  action text not null,
  actor text not null,
  ip text,
  user_agent text,
  changes jsonb not null default '{}',
  at timestamptz not null default now()
);
create index audit_events_by_account on audit_events (account_id, id desc);
create index audit_events_by_project on audit_events (project_id, id desc) where project_id is not null;
