-- How often the receipt of a payment was requested by mail, which is limited.
-- additive
alter table transactions add column receipts_requested smallint not null default 0;
