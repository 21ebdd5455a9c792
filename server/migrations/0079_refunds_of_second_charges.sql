-- A second charge can be returned in parts in the upstream's own dashboard. Only an operator's refund of it happens once.
-- additive, without a transaction
create unique index concurrently if not exists refunds_of_named_charges on refunds (transaction_id, charge_ref)
  where charge_ref is not null and state <> 'failed' and origin <> 'upstream';
