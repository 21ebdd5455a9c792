-- The index of the migration before takes the place of this one, which allows no callbacks about refunds.
-- additive
drop index callbacks_by_transaction;
