-- An order whose customId was erased is found by its hash. By the hash alone, so that no planner can think of another way.
-- additive, without a transaction
create index concurrently if not exists transactions_by_custom_id_hash on transactions (custom_id_hash)
  where custom_id_hash is not null;
