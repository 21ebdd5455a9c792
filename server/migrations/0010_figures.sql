-- Figures of a project over time that cost the same with millions of payments as with a hundred: kept as things happen.

-- Nothing may end between counting what is there and counting along.
lock table transactions in share row exclusive mode;

-- Payments that have ended, by when they were begun, as the lists sort them. Hours and days begin with a quarter of an
-- hour in every zone. The shard is that of transaction_counts: whoever waits for nobody there waits for nobody here.
create table payment_figures (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  quarter timestamptz not null,
  shard smallint not null check (shard between 0 and 31),
  succeeded integer not null,
  failed integer not null,
  -- What the succeeded ones came to.
  volume bigint not null,
  primary key (project_id, mode, quarter, shard)
) with (fillfactor = 50); -- Room for the next version beside the last, so that adding one never grows the index.
-- What is left to be folded into one row per quarter.
create index payment_figures_shards on payment_figures (quarter) where shard <> 0;

create function to_quarter(at timestamptz) returns timestamptz language sql immutable parallel safe as
  $$ select date_bin('15 minutes', at, '2000-01-01 00:00Z') $$;

create or replace function count_ended_payment() returns trigger language plpgsql as $$
declare is_paid constant boolean := new.state = 'succeeded';
begin
  insert into transaction_counts as kept (project_id, mode, state, shard, ended)
  values (new.project_id, new.mode, new.state, pg_backend_pid() % 32, 1)
  on conflict (project_id, mode, state, shard) do update set ended = kept.ended + 1;
  insert into payment_figures as kept (project_id, mode, quarter, shard, succeeded, failed, volume)
  values (new.project_id, new.mode, to_quarter(new.created_at), pg_backend_pid() % 32, is_paid::integer,
    (not is_paid)::integer, case when is_paid then new.amount else 0 end)
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
    count(*) filter (where state = 'succeeded') * sign, count(*) filter (where state <> 'succeeded') * sign,
    coalesce(sum(amount) filter (where state = 'succeeded'), 0) * sign
  from changed where state in ('succeeded', 'failed', 'expired') group by project_id, mode, quarter
  order by project_id, mode, quarter
  on conflict (project_id, mode, quarter, shard) do update set succeeded = kept.succeeded + excluded.succeeded,
    failed = kept.failed + excluded.failed, volume = kept.volume + excluded.volume;
  return null;
end $$;

insert into payment_figures (project_id, mode, quarter, shard, succeeded, failed, volume)
select project_id, mode, to_quarter(created_at) as quarter, 0, count(*) filter (where state = 'succeeded'),
  count(*) filter (where state <> 'succeeded'), coalesce(sum(amount) filter (where state = 'succeeded'), 0)
from transactions where state in ('succeeded', 'failed', 'expired') group by project_id, mode, quarter;

-- How long shops took over the callbacks they accepted: for each hour, how many answers fell into each of 96 steps, as
-- callbacks/answer-times.ts has them. Processes gather answers and add them every few seconds, so few rows are written.
create table callback_figures (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  hour timestamptz not null,
  answers integer[] not null check (cardinality(answers) = 96),
  primary key (project_id, mode, hour)
) with (fillfactor = 50);

create function pg_temp.to_answer_step(duration_ms integer) returns integer language sql as $$
  select 1 + width_bucket(duration_ms, '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,18,20,22,24,26,28,30,32,36,40,44,48,52,56,60,
    64,72,80,88,96,104,112,120,128,144,160,176,192,208,224,240,256,288,320,352,384,416,448,480,512,576,640,704,768,832,896,
    960,1024,1152,1280,1408,1536,1664,1792,1920,2048,2304,2560,2816,3072,3328,3584,3840,4096,4608,5120,5632,6144,6656,7168,
    7680,8192,9216,10240,11264,12288,13312,14336,15360}'::integer[]) $$;
insert into callback_figures (project_id, mode, hour, answers)
select project_id, mode, hour,
  array(select count(taken.step) from generate_series(1, 96) as step left join unnest(steps) as taken(step) using (step)
    group by step order by step)
from (select a.project_id, c.mode, date_trunc('hour', a.started_at, 'UTC') as hour,
    array_agg(pg_temp.to_answer_step(a.duration_ms)) as steps
  from callback_attempts a join callbacks c on c.project_id = a.project_id and c.id = a.callback_id
  where a.outcome = 'delivered' and a.status_code is not null and a.duration_ms is not null
  group by a.project_id, c.mode, hour) as answered;

-- When somebody outside first proved to hold a secret: with a status check it signed, or a signature that was found right.
alter table project_secrets add column proved_at timestamptz;
