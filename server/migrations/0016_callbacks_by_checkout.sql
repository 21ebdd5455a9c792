-- The payment that ends a checkout finds the callbacks of its failed attempts.
-- additive, without a transaction
create index concurrently if not exists callbacks_by_checkout on callbacks (checkout_id) where checkout_id is not null;
