-- What Stripe was asked for, written before it is asked and outside the payment's transaction. Stripe finds a session by its
-- own name only, and that name can get lost on the way; and an id that was closed before it had a session must never get one.
create table stripe_charges (
  id uuid primary key,
  -- Null: closed before it was ever asked for.
  amount bigint check (amount > 0),
  currency text,
  asked_at timestamptz not null default now(),
  session_id text unique,
  closed_at timestamptz,
  check (amount is not null or closed_at is not null),
  check ((amount is null) = (currency is null))
);
