-- After PAYMENT_DATA_RETENTION_DAYS the texts of a payment go. A keyed hash of its customId stays, so that its old link is still paid.
-- additive
alter table transactions
  -- Written a while before the customId goes, never changed, and looked up wherever a customId is.
  add column custom_id_hash bytea,
  add column erased_at timestamptz;
alter table callbacks add column erased_at timestamptz;

-- Keys of this installation that must outlive the master key they are sealed under; rekey seals them again.
create table installation_keys (
  name text primary key,
  sealed bytea not null,
  created_at timestamptz not null default now()
);

-- How far the erasure has come, in the order of payments' ids, which grow with time. One row; whoever works holds its lock.
create table erasure_progress (
  singleton boolean primary key default true check (singleton),
  -- Up to here payments have their hash ...
  marked_to uuid not null default '00000000-0000-0000-0000-000000000000',
  marked_at timestamptz not null default now(),
  -- ... and up to here their texts are gone, but for those in erasure_waiting.
  erased_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into erasure_progress default values;

-- Payments that were passed by because somebody still waits for something about them.
create table erasure_waiting (
  transaction_id uuid primary key references transactions on delete cascade,
  checked_at timestamptz not null default now()
);
create index erasure_waiting_by_check on erasure_waiting (checked_at);

-- As before, but for one change: the texts of an ended payment may go, together and for good, once its hash stands.
create or replace function guard_transaction() returns trigger language plpgsql as $$
begin
  if (new.id, new.project_id, new.mode, new.attempt_id, new.amount, new.currency, new.backend)
     is distinct from
     (old.id, old.project_id, old.mode, old.attempt_id, old.amount, old.currency, old.backend) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  if (new.custom_id, new.data) is distinct from (old.custom_id, old.data)
     and not coalesce(old.completed_at is not null and new.custom_id is null and new.data is null
       and new.erased_at is not null and (old.custom_id is null or old.custom_id_hash is not null), false) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  if (old.custom_id_hash is not null and new.custom_id_hash is distinct from old.custom_id_hash)
     or (old.erased_at is not null and new.erased_at is distinct from old.erased_at) then
    raise exception 'transaction % cannot be erased in another way', old.id using errcode = 'check_violation';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
       ('processing', 'requires_action'), ('processing', 'succeeded'), ('processing', 'failed'),
       ('requires_action', 'succeeded'), ('requires_action', 'failed'), ('requires_action', 'expired')) then
    raise exception 'transaction % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.completed_at is not null and (new.failure_code, new.completed_at, new.upstream_ref)
     is distinct from (old.failure_code, old.completed_at, old.upstream_ref) then
    raise exception 'transaction % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
