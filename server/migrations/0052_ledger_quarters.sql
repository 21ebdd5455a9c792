-- Stats count refunds and disputes by quarter of an hour, as payments are, so that their cost depends on the time range alone.
-- additive
create table ledger_quarters (
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  quarter timestamptz not null,
  currency text not null,
  amount_scale smallint not null,
  refunds integer not null,
  -- Less what came back; negative in a quarter in which more came back.
  refunded bigint not null,
  disputes integer not null,
  disputed bigint not null,
  primary key (project_id, mode, quarter, currency, amount_scale)
) with (fillfactor = 50);

create function add_ledger_quarters() returns trigger language plpgsql as $$
begin
  insert into ledger_quarters as q (project_id, mode, quarter, currency, amount_scale, refunds, refunded, disputes, disputed)
  select project_id, mode, to_quarter(at) as quarter, currency, amount_scale, count(*) filter (where type = 'refund'),
    coalesce(-sum(amount) filter (where refund_id is not null), 0), count(*) filter (where type = 'dispute'),
    coalesce(-sum(amount) filter (where dispute_id is not null), 0)
  from posted where refund_id is not null or dispute_id is not null
  group by project_id, mode, quarter, currency, amount_scale order by project_id, mode, quarter, currency, amount_scale
  on conflict (project_id, mode, quarter, currency, amount_scale) do update set refunds = q.refunds + excluded.refunds,
    refunded = q.refunded + excluded.refunded, disputes = q.disputes + excluded.disputes, disputed = q.disputed + excluded.disputed;
  return null;
end $$;
-- No entry can be posted from here until the commit, so none is counted twice or not at all.
create trigger ledger_entries_count_quarters after insert on ledger_entries referencing new table as posted
  for each statement execute function add_ledger_quarters();

insert into ledger_quarters
select project_id, mode, to_quarter(at) as quarter, currency, amount_scale, count(*) filter (where type = 'refund'),
  coalesce(-sum(amount) filter (where refund_id is not null), 0), count(*) filter (where type = 'dispute'),
  coalesce(-sum(amount) filter (where dispute_id is not null), 0)
from ledger_entries where refund_id is not null or dispute_id is not null
group by project_id, mode, quarter, currency, amount_scale;

-- Last, because it locks the projects until the commit.
alter table ledger_quarters add foreign key (project_id) references projects on delete cascade;
