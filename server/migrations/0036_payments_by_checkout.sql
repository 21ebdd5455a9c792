-- An operator's decision must see the other payments of the same checkout: without a customId nothing else links them.
-- additive, without a transaction
create index concurrently if not exists transactions_by_checkout on transactions (checkout_id) where checkout_id is not null;
