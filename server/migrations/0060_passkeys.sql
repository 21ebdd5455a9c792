-- An account can have passkeys: they sign in alone, and confirm protected actions.
-- additive
create table passkeys (
  id uuid primary key,
  account_id uuid not null,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- Of the authenticator; one that goes back means that it was copied. Many authenticators always report 0.
  counter bigint not null,
  transports text[] not null,
  name text not null check (char_length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_by_account on passkeys (account_id, created_at);

-- What an authenticator has to sign; each is accepted once.
create table passkey_challenges (
  challenge bytea primary key check (length(challenge) = 32),
  purpose text not null check (purpose in ('register', 'sign_in', 'step_up')),
  -- Null at sign-in: the passkey says whose it is.
  account_id uuid,
  expires_at timestamptz not null
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
create index passkey_challenges_by_account on passkey_challenges (account_id) where account_id is not null;

-- After a reset by mail, a passkey alone does not sign in until the new password was used.
alter table accounts add column passkeys_need_password boolean not null default false;

-- Last, because they lock the accounts until the commit.
alter table passkeys add foreign key (account_id) references accounts on delete cascade;
alter table passkey_challenges add foreign key (account_id) references accounts on delete cascade;
