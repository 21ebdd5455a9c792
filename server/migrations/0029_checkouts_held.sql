-- Without a customId, a checkout with an attempt in review, or resolved as paid, is held by its id: nothing else links its attempts.
-- additive, without a transaction
create index concurrently if not exists transactions_checkout_held on transactions (checkout_id)
  where checkout_id is not null and (needs_review or resolution = 'paid');
