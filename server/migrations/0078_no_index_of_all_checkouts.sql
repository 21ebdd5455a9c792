-- The index of the migration before takes the place of this one.
-- additive
drop index callbacks_by_checkout;
