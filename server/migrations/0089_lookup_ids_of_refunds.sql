-- An upstream finds a refund that we recorded as made there under the id of its reports. Its refundRef is another id.
-- additive
alter table refunds add column lookup_id text check (char_length(lookup_id) <= 255);
