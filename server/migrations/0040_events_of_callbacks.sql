-- A callback is about a payment, a refund or a dispute. Alone, so that deliveries wait for one statement only.
-- additive
alter table callbacks
  add column event text not null default 'payment.result',
  add column refund_id uuid,
  add column dispute_id uuid,
  -- Disputes have no result.
  alter column result drop not null,
  add constraint callbacks_event check (
    event = 'payment.result' and result is not null and refund_id is null and dispute_id is null
    or event = 'refund.result' and result is not null and refund_id is not null and dispute_id is null
    or event in ('dispute.opened', 'dispute.closed') and dispute_id is not null and refund_id is null) not valid;
