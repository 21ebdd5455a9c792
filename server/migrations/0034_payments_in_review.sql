-- Stats read the payments in review one by one, because these count neither as succeeded nor as failed.
-- additive, without a transaction
create index concurrently if not exists transactions_reviewed on transactions (project_id, mode, created_at)
  where needs_review;
