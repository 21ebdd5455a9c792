-- A payment that an operator resolved as unpaid is looked up until its upstream confirms that it cannot charge any more.
-- additive, without a transaction
create index concurrently if not exists transactions_unconfirmed on transactions (next_check_at)
  where resolution = 'unpaid' and next_check_at is not null;
