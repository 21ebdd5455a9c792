-- The index of the migration before takes the place of this one.
-- additive
drop index refunds_of_named_charges;
