-- An operator's decision about a payment in review stands beside its state, which never changes, and decides what counts as paid.
-- additive
alter table transactions
  add column resolution text,
  add column resolved_at timestamptz,
  add column resolved_by text,
  add column resolution_reason text,
  -- Every row there is has none of them, so nothing has to be read to know that these hold.
  add constraint transactions_resolution check (resolution in ('paid', 'unpaid')) not valid,
  add constraint transactions_resolution_whole check (
    (resolution is null and resolved_at is null and resolved_by is null and resolution_reason is null)
    or (completed_at is not null and resolved_at is not null and char_length(resolved_by) between 1 and 80
      and char_length(resolution_reason) between 1 and 500)) not valid;

-- 0 is the result of the payment itself; each later one replaces those before it.
alter table callbacks add column revision smallint not null default 0;

-- What upstreams reported against the books, each distinct report once. Ids, amounts and states; no secret, no whole message.
create table upstream_reports (
  transaction_id uuid not null references transactions on delete cascade,
  -- A hash of the report, or `more` for all that came after the greatest number that is stored per payment.
  fingerprint text not null,
  report jsonb not null,
  charge_id text,
  times integer not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (transaction_id, fingerprint)
);
create index upstream_reports_by_charge on upstream_reports (charge_id) where charge_id is not null;

create function is_paid(state text, resolution text) returns boolean language sql immutable parallel safe as
  $$ select case when resolution is null then state = 'succeeded' else resolution = 'paid' end $$;

-- The stats follow what counts as paid; the totals by state follow the state.
create or replace function count_ended_payment() returns trigger language plpgsql as $$
declare paid constant boolean := is_paid(new.state, new.resolution);
begin
  insert into transaction_counts as kept (project_id, mode, state, shard, ended)
  values (new.project_id, new.mode, new.state, pg_backend_pid() % 32, 1)
  on conflict (project_id, mode, state, shard) do update set ended = kept.ended + 1;
  insert into payment_figures as kept (project_id, mode, quarter, shard, succeeded, failed, volume)
  values (new.project_id, new.mode, to_quarter(new.created_at), pg_backend_pid() % 32, paid::integer,
    (not paid)::integer, case when paid then new.amount else 0 end)
  on conflict (project_id, mode, quarter, shard) do update set succeeded = kept.succeeded + excluded.succeeded,
    failed = kept.failed + excluded.failed, volume = kept.volume + excluded.volume;
  return null;
end $$;

create or replace function count_ended_rows() returns trigger language plpgsql as $$
declare sign constant integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  -- A payment that is begun comes this way too, and has nothing to count.
  if not exists (select from changed where state in ('succeeded', 'failed', 'expired')) then
    return null;
  end if;
  insert into transaction_counts as kept (project_id, mode, state, shard, ended)
  select project_id, mode, state, pg_backend_pid() % 32, count(*) * sign
  from changed where state in ('succeeded', 'failed', 'expired') group by project_id, mode, state
  order by project_id, mode, state
  on conflict (project_id, mode, state, shard) do update set ended = kept.ended + excluded.ended;
  insert into payment_figures as kept (project_id, mode, quarter, shard, succeeded, failed, volume)
  select project_id, mode, to_quarter(created_at) as quarter, pg_backend_pid() % 32,
    count(*) filter (where is_paid(state, resolution)) * sign,
    count(*) filter (where not is_paid(state, resolution)) * sign,
    coalesce(sum(amount) filter (where is_paid(state, resolution)), 0) * sign
  from changed where state in ('succeeded', 'failed', 'expired') group by project_id, mode, quarter
  order by project_id, mode, quarter
  on conflict (project_id, mode, quarter, shard) do update set succeeded = kept.succeeded + excluded.succeeded,
    failed = kept.failed + excluded.failed, volume = kept.volume + excluded.volume;
  return null;
end $$;

create function count_resolution() returns trigger language plpgsql as $$
declare change constant integer := is_paid(new.state, new.resolution)::integer - is_paid(old.state, old.resolution)::integer;
begin
  if change = 0 then
    return null;
  end if;
  insert into payment_figures as kept (project_id, mode, quarter, shard, succeeded, failed, volume)
  values (new.project_id, new.mode, to_quarter(new.created_at), pg_backend_pid() % 32, change, -change, new.amount * change)
  on conflict (project_id, mode, quarter, shard) do update set succeeded = kept.succeeded + excluded.succeeded,
    failed = kept.failed + excluded.failed, volume = kept.volume + excluded.volume;
  return null;
end $$;
-- One that ends and is resolved in the same statement is counted by the trigger above.
create trigger transactions_count_resolution after update of resolution on transactions for each row
  when (old.completed_at is not null and old.resolution is distinct from new.resolution)
  execute function count_resolution();
