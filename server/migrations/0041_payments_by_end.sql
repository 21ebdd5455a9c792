-- Lists and files can be limited to payments that ended in a period, as books are closed.
-- additive, without a transaction
create index concurrently if not exists transactions_by_end on transactions (project_id, mode, completed_at)
  where completed_at is not null;
