-- The books of a project: every amount that moved as one entry, and sums by day, so that a statement reads only days.
-- additive

create table ledger_entries (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  -- In the project's time zone at the time of posting.
  posted_on date not null,
  id bigint generated always as identity,
  at timestamptz not null,
  type text not null check (type in ('payment', 'payment_reversed', 'refund', 'refund_returned', 'dispute', 'dispute_won')),
  -- What the merchant got; negative for what was taken back.
  amount bigint not null check (amount <> 0 and (amount > 0) = (type in ('payment', 'refund_returned', 'dispute_won'))),
  currency text not null,
  amount_scale smallint not null,
  transaction_id uuid not null,
  refund_id text,
  dispute_id text,
  upstream_ref text,
  primary key (project_id, mode, posted_on, id),
  check ((refund_id is not null) = (type in ('refund', 'refund_returned'))),
  check ((dispute_id is not null) = (type in ('dispute', 'dispute_won')))
);
create index ledger_entries_by_payment on ledger_entries (transaction_id);

create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger entry % never changes', old.id using errcode = 'check_violation';
end $$;
create trigger ledger_entries_final before update on ledger_entries for each row execute function refuse_ledger_change();

create table ledger_days (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  day date not null,
  currency text not null,
  amount_scale smallint not null,
  payments integer not null,
  gross bigint not null,
  refunds bigint not null,
  returned bigint not null,
  disputes bigint not null,
  primary key (project_id, mode, day, currency, amount_scale)
) with (fillfactor = 50); -- Every batch of events updates the row of the current day.

create function add_ledger_days() returns trigger language plpgsql as $$
begin
  insert into ledger_days as d (project_id, mode, day, currency, amount_scale, payments, gross, refunds, returned, disputes)
  select project_id, mode, posted_on, currency, amount_scale,
    count(*) filter (where type = 'payment') - count(*) filter (where type = 'payment_reversed'),
    coalesce(sum(amount) filter (where type in ('payment', 'payment_reversed')), 0),
    coalesce(-sum(amount) filter (where type = 'refund'), 0),
    coalesce(sum(amount) filter (where type = 'refund_returned'), 0),
    coalesce(-sum(amount) filter (where type in ('dispute', 'dispute_won')), 0)
  from posted group by project_id, mode, posted_on, currency, amount_scale
  order by project_id, mode, posted_on, currency, amount_scale
  on conflict (project_id, mode, day, currency, amount_scale) do update set payments = d.payments + excluded.payments,
    gross = d.gross + excluded.gross, refunds = d.refunds + excluded.refunds, returned = d.returned + excluded.returned,
    disputes = d.disputes + excluded.disputes;
  return null;
end $$;
create trigger ledger_entries_count after insert on ledger_entries referencing new table as posted
  for each statement execute function add_ledger_days();

-- A zone that this server does not know must not stop the events of its project.
create function to_posting_day(at timestamptz, zone text) returns date language plpgsql stable as $$
begin
  return (at at time zone zone)::date;
exception when invalid_parameter_value then
  return (at at time zone 'UTC')::date;
end $$;

-- Posts what changed with each event, when the event gets its position: once, in order, and not in the payment's own transaction.
-- A trigger on the table, because a publisher that is already waiting would still run the previous version of its function.
create function post_events() returns trigger language plpgsql as $$
begin
  if not exists (select from published where type not in ('payment.created', 'refund.created')) then
    return null;
  end if;
  insert into ledger_entries (project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, refund_id,
    dispute_id, upstream_ref)
  with decided as (
    -- What the payment, refund or dispute comes to from now on. A payment in review is not decided: its entries stay as they are.
    select e.project_id, e.position, e.mode, e.at, e.transaction_id, e.refund_id, e.dispute_id, e.facts, t.currency,
      t.amount_scale,
      case
        when e.dispute_id is not null then
          case when e.facts ->> 'state' in ('open', 'lost') then -(e.facts ->> 'amount')::bigint else 0 end
        when e.refund_id is not null then
          case when e.facts ->> 'state' = 'succeeded' then -(e.facts ->> 'amount')::bigint else 0 end
        when is_paid(e.facts ->> 'state', e.facts ->> 'resolution') then t.amount else 0
      end as total
    from published e join transactions t on t.id = e.transaction_id
    where e.type not in ('payment.created', 'refund.created') and not coalesce((e.facts ->> 'needsReview')::boolean, false)
      -- The refund of a second charge, which was never posted.
      and e.facts ->> 'chargeRef' is null
  ), changed as (
    select d.*, d.total - coalesce(
      lag(d.total) over (partition by d.transaction_id, d.refund_id, d.dispute_id order by d.position),
      (select sum(l.amount) from ledger_entries l where l.transaction_id = d.transaction_id
        and l.refund_id is not distinct from d.refund_id and l.dispute_id is not distinct from d.dispute_id), 0) as amount
    from decided d
  )
  select c.project_id, c.mode, to_posting_day(c.at, p.time_zone), c.at,
    case
      when c.dispute_id is not null then case when c.amount < 0 then 'dispute' else 'dispute_won' end
      when c.refund_id is not null then case when c.amount < 0 then 'refund' else 'refund_returned' end
      when c.amount > 0 then 'payment' else 'payment_reversed'
    end,
    c.amount, c.currency, coalesce(c.amount_scale, i.unstored_scale, 2), c.transaction_id, c.refund_id, c.dispute_id,
    c.facts ->> 'upstreamRef'
  from changed c join projects p on p.id = c.project_id cross join installation i
  where c.amount <> 0 order by c.project_id, c.position;
  return null;
end $$;
create trigger feed_events_post after insert on feed_events referencing new table as published
  for each statement execute function post_events();

-- How far the payments that ended before this have been posted. Statements wait until all are.
create table ledger_backfill (
  is_only boolean primary key default true check (is_only),
  -- The last payment that was checked; null: none.
  after uuid,
  done_at timestamptz
);
insert into ledger_backfill (done_at) select case when exists (select from transactions) then null else now() end;
