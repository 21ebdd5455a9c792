-- An account can have a second factor besides the password: an authenticator app, with recovery codes for when it is lost.
-- additive
create table totp_factors (
  account_id uuid primary key,
  -- Null until the first code has been confirmed.
  sealed_secret bytea,
  -- Shown to the owner, but not yet confirmed with a code.
  sealed_new_secret bytea,
  -- Each time step is accepted once.
  last_step bigint not null default 0,
  confirmed_at timestamptz,
  check ((sealed_secret is null) = (confirmed_at is null))
);

-- The hash of each code, sealed.
create table recovery_codes (
  account_id uuid not null,
  number smallint not null check (number between 1 and 10),
  sealed_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, number)
);

-- The password was right, and the second factor is still missing.
create table pending_sign_ins (
  token_hash bytea primary key check (length(token_hash) = 32),
  account_id uuid not null,
  credential_version integer not null,
  -- The lockout bucket of the password, which only a completed sign-in clears.
  bucket text not null,
  device_known boolean not null,
  expires_at timestamptz not null
);
create index pending_sign_ins_by_account on pending_sign_ins (account_id);
create index pending_sign_ins_by_expiry on pending_sign_ins (expires_at);

alter table sessions add column step_up_by_recovery boolean not null default false;
-- Secrets and refunds wait for a day after a recovery code was used.
alter table accounts add column recovery_used_at timestamptz;

-- Last, because they lock the accounts until the commit.
alter table totp_factors add foreign key (account_id) references accounts on delete cascade;
alter table recovery_codes add foreign key (account_id) references accounts on delete cascade;
alter table pending_sign_ins add foreign key (account_id) references accounts on delete cascade;
