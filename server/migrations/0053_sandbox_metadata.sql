-- The sandbox stores what a payment or refund was opened with, as every upstream does, so that it can be rebuilt from there.
-- additive
alter table sandbox_charges add column metadata jsonb;
alter table sandbox_refunds add column metadata jsonb;
