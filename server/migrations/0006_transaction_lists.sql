-- Lists, searches and exact totals that cost the same with millions of payments as with a hundred.

-- Newest first by the database's clock, the only one that all replicas share. The id parts equal instants, and both
-- stand in the index so that far pages are counted off without touching the table.
create index transactions_newest on transactions (project_id, mode, created_at desc, id desc);
create index transactions_by_state on transactions (project_id, mode, state, created_at desc, id desc);
drop index transactions_by_project;

-- Every attempt of one order, in order; and, bytewise whatever the collation, every customId that begins alike.
create index transactions_by_custom_id
  on transactions (project_id, mode, custom_id text_pattern_ops, created_at desc, id desc) where custom_id is not null;
-- The first 64 characters find it; the rest of a longer question is compared on the row.
create index transactions_by_data
  on transactions (project_id, mode, left(data, 64) text_pattern_ops) where data is not null;
-- The short reference that payers read out is the end of the id.
create index transactions_by_reference on transactions (right(id::text, 10));

-- Payments that have ended, by how. Those still open are few and are counted as they stand. One row per total would make
-- every payment of a shop wait for the one before it, so each database connection adds to a shard of its own.
create table transaction_counts (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  state text not null check (state in ('succeeded', 'failed', 'expired')),
  shard smallint not null check (shard between 0 and 31),
  ended bigint not null,
  primary key (project_id, mode, state, shard)
) with (fillfactor = 50); -- Room for the next version beside the last, so that adding one never grows the index.

create function count_ended_payment() returns trigger language plpgsql as $$
begin
  insert into transaction_counts as kept (project_id, mode, state, shard, ended)
  values (new.project_id, new.mode, new.state, pg_backend_pid() % 32, 1)
  on conflict (project_id, mode, state, shard) do update set ended = kept.ended + 1;
  return null;
end $$;
create trigger transactions_count_ended after update of state on transactions for each row
  when (old.state is distinct from new.state and new.state in ('succeeded', 'failed', 'expired'))
  execute function count_ended_payment();

-- Rows that arrive already ended, or are taken away by hand, come in bulk: one addition per total, not one per row.
create function count_ended_rows() returns trigger language plpgsql as $$
begin
  insert into transaction_counts as kept (project_id, mode, state, shard, ended)
  select project_id, mode, state, pg_backend_pid() % 32, count(*) * case tg_op when 'DELETE' then -1 else 1 end
  from changed where state in ('succeeded', 'failed', 'expired') group by project_id, mode, state
  on conflict (project_id, mode, state, shard) do update set ended = kept.ended + excluded.ended;
  return null;
end $$;
create trigger transactions_count_added after insert on transactions referencing new table as changed
  for each statement execute function count_ended_rows();
create trigger transactions_count_removed after delete on transactions referencing old table as changed
  for each statement execute function count_ended_rows();

insert into transaction_counts (project_id, mode, state, shard, ended)
select project_id, mode, state, 0, count(*) from transactions where state in ('succeeded', 'failed', 'expired')
group by project_id, mode, state;
