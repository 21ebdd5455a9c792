-- A payment searches the callbacks of its checkout only for failures. An index of all callbacks costs every payment and delivery an entry.
-- additive, without a transaction
create index concurrently if not exists callbacks_failures_by_checkout on callbacks (checkout_id)
  where checkout_id is not null and result = 'fail';
