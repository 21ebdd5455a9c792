-- One confirmation by a payer is one transaction. Its id is also the upstream's idempotency key.
create table transactions (
  id uuid primary key,
  project_id text not null references projects,
  mode text not null check (mode in ('live', 'test')),
  -- The attempt token's nonce: the same form sent twice is the same payment.
  attempt_id uuid not null unique,
  amount bigint not null check (amount between 1 and 999999999999),
  currency text not null,
  custom_id text,
  data text,
  state text not null default 'processing' check (state in ('processing', 'requires_action', 'succeeded', 'failed', 'expired')),
  failure_code text,
  action_url text,
  needs_review boolean not null default false,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  next_check_at timestamptz,
  check ((completed_at is null) = (state in ('processing', 'requires_action'))),
  check (failure_code is null or state in ('failed', 'expired'))
);
-- Never a second charge for one order: a customId is held while in flight and for good once paid; a failure frees it.
create unique index transactions_custom_id on transactions (project_id, mode, custom_id)
  where custom_id is not null and state in ('processing', 'requires_action', 'succeeded');
create index transactions_by_project on transactions (project_id, mode, id desc);
create index transactions_unresolved on transactions (next_check_at) where state in ('processing', 'requires_action');

-- An end state is final, whatever the code above tries.
create function refuse_final_change() returns trigger language plpgsql as $$
begin
  if old.state in ('succeeded', 'failed', 'expired') and
     (new.state, new.amount, new.currency, new.project_id, new.mode, new.custom_id, new.data)
       is distinct from (old.state, old.amount, old.currency, old.project_id, old.mode, old.custom_id, old.data) then
    raise exception 'transaction % is final', old.id using errcode = 'check_violation';
  end if;
  if (new.amount, new.currency, new.project_id, new.mode) is distinct from (old.amount, old.currency, old.project_id, old.mode) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger transactions_final before update on transactions for each row execute function refuse_final_change();

-- The sandbox upstream's own ledger: the other side's books, written outside the payment's transaction.
create table sandbox_charges (
  id uuid primary key,
  amount bigint not null,
  currency text not null,
  status text not null check (status in ('succeeded', 'failed', 'requires_action', 'cancelled')),
  failure_code text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
