-- Lists and files can be limited to payments that ended in a period, as books are closed, and to refunded or disputed ones.
-- additive, without a transaction
create index concurrently if not exists transactions_by_end on transactions (project_id, mode, completed_at)
  where completed_at is not null;
create index concurrently if not exists transactions_refunded on transactions (project_id, mode, created_at desc, id desc)
  where refunded > 0;
create index concurrently if not exists transactions_disputed on transactions (project_id, mode, created_at desc, id desc)
  where disputed > 0;
