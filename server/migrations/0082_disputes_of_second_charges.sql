-- A dispute of a second charge does not reduce the payment: its sums and the ledger leave it out, as with a refund of such a charge.
-- additive
alter table disputes add column charge_ref text check (char_length(charge_ref) <= 255);

create or replace function sum_disputes() returns trigger language plpgsql as $$
declare
  change constant bigint := case when new.state in ('open', 'lost') then new.amount else 0 end
    - case when tg_op = 'UPDATE' and old.state in ('open', 'lost') then old.amount else 0 end;
begin
  if change <> 0 and new.charge_ref is null then
    update transactions set disputed = disputed + change where id = new.transaction_id;
  end if;
  return null;
end $$;

create or replace function post_events() returns trigger language plpgsql as $$
begin
  if not exists (select from published where type not in ('payment.created', 'refund.created')) then
    return null;
  end if;
  insert into ledger_entries (project_id, mode, posted_on, at, type, amount, currency, amount_scale, transaction_id, refund_id,
    dispute_id, upstream_ref)
  with events as materialized (
    select e.project_id, e.position, e.mode, e.at, e.transaction_id, e.refund_id, e.dispute_id, e.facts, t.amount as paid_amount,
      t.currency, t.amount_scale, t.refunded, t.disputed, is_paid(t.state, t.resolution) as counts
    from published e join transactions t on t.id = e.transaction_id
    where e.type not in ('payment.created', 'refund.created')
      -- A refund or dispute of a second charge, which was never posted.
      and e.facts ->> 'chargeRef' is null
  ), own_events as materialized (
    -- A refund or dispute whose own event follows, in this batch or later (null), is posted by that event, with its time.
    select refund_id, dispute_id, position from events where refund_id is not null or dispute_id is not null
    union all
    select refund_id, dispute_id, null from feed_inbox
    where project_id in (select project_id from published) and type in ('refund.result', 'dispute.opened', 'dispute.closed')
  ), decided as (
    -- What the payment, refund or dispute comes to from now on.
    select project_id, position, mode, at, transaction_id, refund_id, dispute_id, facts ->> 'upstreamRef' as upstream_ref, currency,
      amount_scale,
      case
        when dispute_id is not null then
          case when counts and facts ->> 'state' in ('open', 'lost') then -(facts ->> 'amount')::bigint else 0 end
        when refund_id is not null then
          case when counts and facts ->> 'state' = 'succeeded' then -(facts ->> 'amount')::bigint else 0 end
        when is_paid(facts ->> 'state', facts ->> 'resolution') then paid_amount else 0
      end as total
    from events
    union all
    select p.project_id, p.position, p.mode, p.at, p.transaction_id, 're_' || replace(r.id::text, '-', ''), null, r.upstream_ref,
      p.currency, p.amount_scale, case when p.counts then -r.amount else 0 end
    from events p join refunds r on r.transaction_id = p.transaction_id and r.state = 'succeeded' and r.charge_ref is null
    where p.refund_id is null and p.dispute_id is null and p.refunded > 0
      and not exists (select from own_events o where o.refund_id = 're_' || replace(r.id::text, '-', '')
        and (o.position is null or o.position > p.position))
    union all
    select p.project_id, p.position, p.mode, p.at, p.transaction_id, null, 'dp_' || replace(d.id::text, '-', ''), d.upstream_ref,
      p.currency, p.amount_scale, case when p.counts then -d.amount else 0 end
    from events p join disputes d on d.transaction_id = p.transaction_id and d.state in ('open', 'lost') and d.charge_ref is null
    where p.refund_id is null and p.dispute_id is null and p.disputed > 0
      and not exists (select from own_events o where o.dispute_id = 'dp_' || replace(d.id::text, '-', '')
        and (o.position is null or o.position > p.position))
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
    c.upstream_ref
  from changed c join projects p on p.id = c.project_id cross join installation i
  where c.amount <> 0 order by c.project_id, c.position, c.dispute_id nulls first, c.refund_id nulls first;
  return null;
end $$;
