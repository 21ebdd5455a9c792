-- Every change of a payment, refund or dispute is an event, in one order per project that never changes behind a reader.
-- additive

-- Events that are committed and have no position yet. Written by the transaction that makes the change, deleted when published.
-- Without foreign keys: every payment writes here, and the feed checks the project.
create table feed_inbox (
  project_id text not null,
  -- Grows with every insert. Two events of one payment are written under the lock of its row, so their ids are in order.
  id bigint generated always as identity,
  -- Unlike the position it is unique also after a restore from a backup.
  event_id uuid not null default gen_random_uuid(),
  type text not null,
  mode text not null,
  transaction_id uuid not null,
  refund_id text,
  dispute_id text,
  at timestamptz not null default now(),
  -- What changes later (states, ids, amounts). The texts of a payment are read from its row, so that they are erased with it.
  facts jsonb not null default '{}',
  primary key (project_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- The last position of each project. Who publishes holds the lock of this row until the commit, so positions become visible in order.
create table feed_heads (
  project_id text primary key references projects on delete cascade,
  position bigint not null default 0
) with (fillfactor = 50);

create table feed_events (
  project_id text not null references projects on delete cascade,
  position bigint not null,
  event_id uuid not null,
  type text not null check (type in ('payment.created', 'payment.result', 'payment.review', 'refund.created', 'refund.result',
    'dispute.opened', 'dispute.closed')),
  mode text not null check (mode in ('live', 'test')),
  transaction_id uuid not null,
  refund_id text,
  dispute_id text,
  at timestamptz not null,
  facts jsonb not null,
  primary key (project_id, position),
  check ((refund_id is not null) = (type in ('refund.created', 'refund.result'))),
  check ((dispute_id is not null) = (type in ('dispute.opened', 'dispute.closed')))
);
create index feed_events_by_mode on feed_events (project_id, mode, position);

-- A cursor names the epoch it was given in. After a restore positions are given again, to other events: a new epoch begins.
create table feed_epochs (
  number integer generated always as identity primary key,
  -- Random: after a restore the same number may be given again.
  epoch uuid not null unique default gen_random_uuid(),
  started_at timestamptz not null default now()
);
insert into feed_epochs default values;

-- How far each project's feed was restored when an epoch began: up to there the events are the same as before.
create table feed_restarts (
  project_id text not null references projects on delete cascade,
  epoch_number integer not null references feed_epochs,
  position bigint not null,
  primary key (project_id, epoch_number)
);

-- Gives the next positions to the oldest events of the inbox; returns how many. In one call, so that no client holds the lock.
create function publish_events(project text, batch integer) returns integer language plpgsql as $$
declare
  head bigint;
  moved integer;
begin
  insert into feed_heads as h (project_id) select id from projects where id = project
    on conflict (project_id) do update set position = h.position returning h.position into head;
  if head is null then
    -- The project is deleted, and with it everything that its events are about.
    delete from feed_inbox where project_id = project;
    return 0;
  end if;
  -- A statement of its own: its snapshot is taken under the lock, so it sees what the last publisher did.
  with taken as (
    delete from feed_inbox where project_id = project
      and id = any (array(select id from feed_inbox where project_id = project order by id limit batch)) returning *)
  insert into feed_events (project_id, position, event_id, type, mode, transaction_id, refund_id, dispute_id, at, facts)
  select project_id, head + row_number() over (order by id), event_id, type, mode, transaction_id, refund_id, dispute_id, at,
    facts from taken;
  get diagnostics moved = row_count;
  if moved > 0 then
    update feed_heads set position = head + moved where project_id = project;
  end if;
  return moved;
end $$;

-- Triggers, so that no statement can forget an event, also not one of the previous release during a deploy.
create function record_opened_payments() returns trigger language plpgsql as $$
begin
  insert into feed_inbox (project_id, type, mode, transaction_id, at)
  select project_id, 'payment.created', mode, id, created_at from opened;
  -- Payments that are inserted with their result: only the demo has them.
  if exists (select from opened where completed_at is not null) then
    insert into feed_inbox (project_id, type, mode, transaction_id, at, facts)
    select project_id, 'payment.result', mode, id, completed_at, jsonb_build_object('state', state,
      'failureCode', failure_code, 'needsReview', needs_review, 'resolution', resolution, 'upstreamRef', upstream_ref)
    from opened where completed_at is not null order by completed_at, id;
  end if;
  return null;
end $$;
create trigger transactions_opened after insert on transactions referencing new table as opened
  for each statement execute function record_opened_payments();

create function record_payment_change() returns trigger language plpgsql as $$
begin
  insert into feed_inbox (project_id, type, mode, transaction_id, facts)
  values (new.project_id,
    case when old.completed_at is null and new.completed_at is not null or old.resolved_at is distinct from new.resolved_at
      then 'payment.result' else 'payment.review' end,
    new.mode, new.id, jsonb_build_object('state', new.state, 'failureCode', new.failure_code,
      'needsReview', new.needs_review, 'resolution', new.resolution, 'upstreamRef', new.upstream_ref));
  return null;
end $$;
create trigger transactions_changed after update of state, resolved_at, needs_review on transactions for each row
  when (old.completed_at is null and new.completed_at is not null or old.resolved_at is distinct from new.resolved_at
    or old.needs_review <> new.needs_review)
  execute function record_payment_change();
