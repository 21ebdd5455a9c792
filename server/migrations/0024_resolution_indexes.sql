-- One paid payment per order also counts resolutions, a payment can have several callbacks, and payments are found by charge.
-- additive, without a transaction
create unique index concurrently if not exists transactions_order on transactions (project_id, mode, custom_id)
  where custom_id is not null and (state in ('processing', 'requires_action') or resolution = 'paid'
    or (resolution is null and state = 'succeeded'));
create unique index concurrently if not exists callbacks_by_transaction on callbacks (transaction_id, revision) where transaction_id is not null;
create index concurrently if not exists transactions_by_upstream_ref on transactions (upstream_ref) where upstream_ref is not null;
