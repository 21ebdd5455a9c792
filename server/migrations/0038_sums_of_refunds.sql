-- Lists read what was refunded or disputed of a payment with its row. Alone, so that payments wait for one statement only.
-- additive
alter table transactions
  -- Sums over the payment's refunds and disputes, kept by triggers, so that lists read them with the row.
  add column refunds_processing bigint not null default 0,
  add column refunded bigint not null default 0,
  -- Open and lost disputes.
  add column disputed bigint not null default 0;
