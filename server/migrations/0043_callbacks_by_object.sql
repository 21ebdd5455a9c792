-- A payment has callbacks about its refunds besides its own: each object, event and revision has one.
-- additive, without a transaction
create unique index concurrently if not exists callbacks_by_object
  on callbacks (transaction_id, event, coalesce(refund_id, dispute_id, transaction_id), revision) where transaction_id is not null;
