-- The indexes of the migration before take the place of these: a resolved order can be free again, and has a second callback.
-- additive
-- The last release inserts into both tables without naming them: it meets the new indexes instead.
drop index transactions_custom_id;
alter table callbacks drop constraint callbacks_transaction_id_key;
