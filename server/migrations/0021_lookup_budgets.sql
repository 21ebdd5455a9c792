-- How often an upstream may be asked without a payer's request is limited, by one bucket that all replicas share.
-- additive
create table lookup_budgets (
  upstream text primary key,
  tokens double precision not null default 0,
  waiting_tokens double precision not null default 0,
  refilled_at timestamptz not null
);
