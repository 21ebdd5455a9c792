-- The outbox: one row per result to tell, written in the transaction that ends the payment, and every attempt made.
create table callbacks (
  project_id text not null references projects,
  id text not null,
  transaction_id uuid unique references transactions,
  mode text not null check (mode in ('live', 'test')),
  result text not null check (result in ('success', 'fail')),
  custom_id text,
  payload jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'sending', 'delivered', 'exhausted', 'cancelled')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  lease_until timestamptz,
  claim uuid,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (project_id, id),
  check ((status = 'sending') = (lease_until is not null)),
  check ((status = 'delivered') = (delivered_at is not null))
);
create index callbacks_due on callbacks (next_at) where status = 'pending';
create index callbacks_leased on callbacks (lease_until) where status = 'sending';
create index callbacks_by_custom_id on callbacks (project_id, mode, custom_id) where custom_id is not null and result = 'fail';

create table callback_attempts (
  project_id text not null,
  callback_id text not null,
  attempt integer not null,
  trigger text not null default 'auto' check (trigger in ('auto', 'manual', 'test', 'exam')),
  url text not null,
  remote_ip text,
  started_at timestamptz not null,
  duration_ms integer,
  outcome text not null check (outcome in ('delivered', 'http_error', 'timeout', 'dns', 'connect', 'tls',
    'blocked_address', 'redirect', 'too_large', 'interrupted')),
  status_code integer,
  error text check (char_length(error) <= 500),
  response_excerpt text check (octet_length(response_excerpt) <= 16384),
  secret_version integer,
  body_sha256 bytea,
  next_at timestamptz,
  primary key (project_id, callback_id, attempt),
  foreign key (project_id, callback_id) references callbacks on delete cascade
);
