-- The index of the migration before takes the place of this one, which allows a second charge only one refund.
-- additive
drop index refunds_by_charge;
