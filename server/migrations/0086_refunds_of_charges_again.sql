-- An operator can refund a second charge again if the money of the first refund returned to the merchant.
-- additive, without a transaction
create unique index concurrently if not exists refunds_of_second_charges on refunds (transaction_id, charge_ref)
  where charge_ref is not null and state in ('processing', 'succeeded') and origin <> 'upstream';
