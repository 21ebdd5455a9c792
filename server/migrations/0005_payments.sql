-- Payments: every move of a payment is checked here too, what the reconciler knows is kept, and what does not add up is an incident.
alter table transactions
  -- Which upstream was asked: after BACKEND changes, an open payment must not be looked for in the new one's books.
  add column backend text not null default 'sandbox',
  -- The upstream's own name for the charge; a second one under the same payment is a second charge.
  add column upstream_ref text,
  add column action_at timestamptz,
  add column checks integer not null default 0;

-- The moves of payments/payment.ts, and what a payer has confirmed is never rewritten, whatever the code above tries.
create function guard_transaction() returns trigger language plpgsql as $$
begin
  if (new.id, new.project_id, new.mode, new.attempt_id, new.amount, new.currency, new.custom_id, new.data, new.backend)
     is distinct from
     (old.id, old.project_id, old.mode, old.attempt_id, old.amount, old.currency, old.custom_id, old.data, old.backend) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
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
drop trigger transactions_final on transactions;
drop function refuse_final_change();
create trigger transactions_guard before update on transactions for each row execute function guard_transaction();

-- Where the upstream and we disagree about money. Facts are amounts, ids and states; no secret stands here.
create table incidents (
  id integer generated always as identity primary key,
  kind text not null,
  transaction_id uuid references transactions,
  -- What makes two reports the same incident: the transaction, or the id that an upstream named.
  subject text not null check (char_length(subject) <= 128),
  facts jsonb not null default '{}',
  times integer not null default 1,
  created_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (kind, subject)
);
create index incidents_open on incidents (id) where closed_at is null;
create index incidents_by_transaction on incidents (transaction_id) where transaction_id is not null;

-- When the operator was last written to about a kind, so that a storm of incidents is one mail an hour.
create table incident_mails (
  kind text primary key,
  queued_at timestamptz not null
);
