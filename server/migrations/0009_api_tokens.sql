-- Programs of an owner act with tokens of their own: named, of one scope, and never without an end.
create table api_tokens (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- Only the hash is kept: a dump of this table lets nobody in.
  token_hash bytea not null unique check (length(token_hash) = 32),
  name text not null,
  scope text not null check (scope in ('read', 'write')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '366 days'),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_tokens_by_account on api_tokens (account_id, id desc);
create index api_tokens_by_expiry on api_tokens (expires_at);
