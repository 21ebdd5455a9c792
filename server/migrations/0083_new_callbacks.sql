-- Nearly every callback is accepted at its first attempt: it is stored like that, and until then it has a row here (decision 11).
-- additive
create table new_callbacks (
  project_id text not null,
  id text not null,
  mode text not null,
  -- As in `callbacks`. The callback is due since then.
  created_at timestamptz not null default now(),
  primary key (project_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);
-- The mode comes first: an index that begins with the project could be chosen for a search by id while the table is nearly empty.
create index new_callbacks_due on new_callbacks (mode, project_id, created_at);

-- What is true of each callback, however it is stored. For reads by key: an index on `status` does not help here.
-- A callback that was accepted at its first attempt was delivered when that attempt ended.
create view callback_states as
select c.project_id, c.id, c.transaction_id, c.mode, c.result, c.custom_id, c.payload,
  case when n.is_new then 'pending' else c.status end as status,
  case when n.is_new then 0 else c.attempts end as attempts,
  c.next_at, c.lease_until, c.claim, c.created_at,
  case when n.is_new then null when c.delivered_at is not null or c.status <> 'delivered' then c.delivered_at
    else (select a.started_at + coalesce(a.duration_ms, 0) * interval '1 millisecond' from callback_attempts a
      where a.project_id = c.project_id and a.callback_id = c.id and a.attempt = 1 and a.outcome = 'delivered') end as delivered_at,
  c.trigger, c.round_from, c.not_ready,
  case when n.is_new then null else c.last_outcome end as last_outcome,
  c.payer_returned_at, c.checkout_id, c.revision, c.erased_at, c.event, c.refund_id, c.dispute_id,
  coalesce(n.is_new, false) as is_new
from callbacks c
-- "offset 0" makes the planner search by key, even if the plan was made while the table was empty.
left join lateral (select true as is_new from new_callbacks n where n.project_id = c.project_id and n.id = c.id
  and n.mode::varchar is not null offset 0) n on true;

-- Also removes what is left of a deleted callback here. The trigger that calls it is from migration 0069.
create or replace function delete_attempts_of_callbacks() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from callback_attempts;
    delete from new_callbacks;
  else
    delete from callback_attempts a using gone g where a.project_id = g.project_id and a.callback_id = g.id;
    -- By place, as new-callbacks-store.ts does it. Otherwise a plan that was made while the table was empty reads all of it per callback.
    delete from new_callbacks where ctid = any (array(select n.at from gone g cross join lateral (
      select n.ctid as at from new_callbacks n where n.project_id = g.project_id and n.id = g.id
        and n.mode::varchar is not null offset 0) n));
  end if;
  return null;
end $$;
