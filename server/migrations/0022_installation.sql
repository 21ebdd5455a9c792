-- One row about this installation: which one it is, and in what it counts money.
-- additive
create table installation (
  is_only boolean primary key default true check (is_only),
  -- Put into what upstreams store for us, so that two installations on one account know their own.
  id uuid not null default gen_random_uuid(),
  -- Null until the first start of a release that records them.
  currency text,
  amount_scale smallint,
  -- The decimals of payments that were written without theirs.
  unstored_scale smallint,
  -- Null: never changed.
  currency_changed_at timestamptz,
  check ((currency is null) = (amount_scale is null) and (currency is null) = (unstored_scale is null))
);
insert into installation default values;
