-- The order of an upstream's messages about one payment: one that is late must not restore what was true before.
-- additive
alter table transactions add column upstream_sequence bigint;
