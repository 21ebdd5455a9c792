-- One row per refund of the upstream, also if only some of its reports have a refundRef.
-- additive, without a transaction
create unique index concurrently if not exists refunds_by_lookup_id on refunds (transaction_id, lookup_id)
  where lookup_id is not null and state <> 'failed';
