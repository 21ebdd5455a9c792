-- A refund is its own row with its own life. The amount is reserved on the payment in the same statement, so requests cannot exceed it.
-- additive
create table refunds (
  project_id text not null,
  -- Also the upstream's idempotency key.
  id uuid not null,
  transaction_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  amount bigint not null check (amount between 1 and 999999999999),
  currency text not null,
  -- As stored with the payment.
  amount_scale smallint,
  state text not null default 'processing' check (state in ('processing', 'succeeded', 'failed', 'returned')),
  origin text not null check (origin in ('portal', 'api', 'upstream')),
  -- As requested: null is all that was left.
  requested_amount bigint,
  idempotency_key text check (char_length(idempotency_key) between 1 and 64),
  reason text check (char_length(reason) <= 200),
  -- The API token that requested it; its refunds of a day are limited.
  token_id uuid,
  -- Another charge than the payment's own, named by an operator: it is not part of the payment's amount.
  charge_ref text check (char_length(charge_ref) <= 255),
  upstream_ref text check (char_length(upstream_ref) <= 255),
  pending_reason text,
  failure_code text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  returned_at timestamptz,
  -- When it is next looked up at the upstream.
  next_check_at timestamptz,
  checks integer not null default 0,
  primary key (project_id, id),
  check ((completed_at is null) = (state = 'processing')),
  check ((returned_at is not null) = (state = 'returned')),
  check (failure_code is null or state in ('failed', 'returned')),
  check ((idempotency_key is null) = (origin = 'upstream'))
);
create unique index refunds_by_id on refunds (id);
create unique index refunds_by_key on refunds (project_id, mode, idempotency_key) where idempotency_key is not null;
-- One row per refund of the upstream. One that ended as failed and was refunded after all has a second row, which counts.
create unique index refunds_by_upstream_ref on refunds (transaction_id, upstream_ref)
  where upstream_ref is not null and state <> 'failed';
create index refunds_by_payment on refunds (transaction_id, created_at, id);
-- A charge named by an operator is refunded once.
create unique index refunds_by_charge on refunds (transaction_id, charge_ref) where charge_ref is not null and state <> 'failed';
create index refunds_due on refunds (next_check_at) where next_check_at is not null;
create index refunds_by_token on refunds (token_id, created_at) where token_id is not null;

-- The moves of refunds/refund.ts, and what was requested never changes, whatever the code above tries.
create function guard_refund() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.id, new.transaction_id, new.mode, new.amount, new.currency, new.origin, new.idempotency_key)
     is distinct from
     (old.project_id, old.id, old.transaction_id, old.mode, old.amount, old.currency, old.origin, old.idempotency_key) then
    raise exception 'refund % cannot change what was requested', old.id using errcode = 'check_violation';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
       ('processing', 'succeeded'), ('processing', 'failed'), ('succeeded', 'returned')) then
    raise exception 'refund % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.completed_at is not null and new.completed_at is distinct from old.completed_at then
    raise exception 'refund % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger refunds_guard before update on refunds for each row execute function guard_refund();

-- A request of ours is refused when less is left. What the upstream reports is a fact and is always recorded.
create function reserve_refund() returns trigger language plpgsql as $$
begin
  if new.charge_ref is not null then
    return null;
  end if;
  update transactions set
    refunds_processing = refunds_processing + case new.state when 'processing' then new.amount else 0 end,
    refunded = refunded + case new.state when 'succeeded' then new.amount else 0 end
  where id = new.transaction_id and project_id = new.project_id and mode = new.mode and currency = new.currency
    and (new.origin = 'upstream' or amount - refunded - refunds_processing - disputed >= new.amount);
  if not found then
    raise exception 'refund % exceeds what is left of its payment', new.id
      using errcode = 'check_violation', constraint = 'refunds_within_payment';
  end if;
  return null;
end $$;
create trigger refunds_reserve after insert on refunds for each row execute function reserve_refund();

create function post_refund() returns trigger language plpgsql as $$
begin
  if new.charge_ref is not null then
    return null;
  end if;
  update transactions set
    refunds_processing = refunds_processing - case old.state when 'processing' then new.amount else 0 end,
    refunded = refunded + case new.state when 'succeeded' then new.amount else 0 end
      - case old.state when 'succeeded' then new.amount else 0 end
  where id = new.transaction_id;
  return null;
end $$;
create trigger refunds_post after update of state on refunds for each row
  when (old.state is distinct from new.state) execute function post_refund();

-- The sandbox's own record of its refunds, written outside the refund's transaction.
create table sandbox_refunds (
  id uuid primary key,
  payment_id uuid not null,
  amount bigint not null,
  currency text not null,
  status text not null check (status in ('succeeded', 'failed')),
  failure_code text,
  -- From then on the money has come back.
  returns_at timestamptz,
  created_at timestamptz not null default now()
);
create index sandbox_refunds_by_payment on sandbox_refunds (payment_id);

-- What the sandbox has refunded of a charge. Not sql: a new snapshot is read, after the caller has locked the charge.
create function sandbox_refunded(charge uuid, besides uuid) returns bigint language plpgsql as $$
begin
  return (select coalesce(sum(amount), 0) from sandbox_refunds
    where payment_id = charge and id <> besides and status = 'succeeded' and coalesce(returns_at > now(), true));
end $$;

-- Last, because they lock the payments and projects until the commit.
alter table refunds add foreign key (project_id) references projects,
  add foreign key (transaction_id) references transactions on delete cascade;
