-- A payer can dispute a payment at their bank. Disputes come from upstreams alone; open and lost ones reduce what can be refunded.
-- additive
create table disputes (
  project_id text not null,
  id uuid not null,
  transaction_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  amount bigint not null check (amount between 1 and 999999999999),
  currency text not null,
  -- As stored with the payment.
  amount_scale smallint,
  state text not null check (state in ('inquiry', 'open', 'won', 'lost')),
  reason text check (char_length(reason) <= 64),
  respond_by timestamptz,
  upstream_ref text not null check (char_length(upstream_ref) <= 255),
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (project_id, id),
  check ((closed_at is not null) = (state in ('won', 'lost')))
);
-- One row per dispute of the upstream, however often it is reported.
create unique index disputes_by_upstream_ref on disputes (transaction_id, upstream_ref);

-- The moves of disputes/reactions.ts, whatever the code above tries.
create function guard_dispute() returns trigger language plpgsql as $$
begin
  if (new.project_id, new.id, new.transaction_id, new.mode, new.amount, new.currency, new.upstream_ref, new.opened_at)
     is distinct from
     (old.project_id, old.id, old.transaction_id, old.mode, old.amount, old.currency, old.upstream_ref, old.opened_at) then
    raise exception 'dispute % cannot change what is disputed', old.id using errcode = 'check_violation';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
       ('inquiry', 'open'), ('inquiry', 'won'), ('inquiry', 'lost'), ('open', 'won'), ('open', 'lost')) then
    raise exception 'dispute % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger disputes_guard before update on disputes for each row execute function guard_dispute();

create function sum_disputes() returns trigger language plpgsql as $$
declare
  change constant bigint := case when new.state in ('open', 'lost') then new.amount else 0 end
    - case when tg_op = 'UPDATE' and old.state in ('open', 'lost') then old.amount else 0 end;
begin
  if change <> 0 then
    update transactions set disputed = disputed + change where id = new.transaction_id;
  end if;
  return null;
end $$;
create trigger disputes_sum after insert or update of state on disputes for each row execute function sum_disputes();

-- Last, because they lock the payments and projects until the commit.
alter table disputes add foreign key (project_id) references projects,
  add foreign key (transaction_id) references transactions on delete cascade;
