-- Stats read the refunds and disputes at the ends of a time range one by one; without this index they would read whole days.
-- additive, without a transaction
create index concurrently if not exists ledger_entries_taken_back on ledger_entries (project_id, mode, at)
  where refund_id is not null or dispute_id is not null;
