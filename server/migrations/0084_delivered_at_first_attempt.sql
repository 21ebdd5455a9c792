-- A callback that was accepted at its first attempt has no time of delivery of its own: its attempt has it. Alone: callbacks are locked.
-- additive

-- Earlier releases still write the time. Not valid: existing rows keep the stricter rule that the old constraint checked.
alter table callbacks
  drop constraint callbacks_delivered,
  add constraint callbacks_delivered
    check (status <> 'delivered' or delivered_at is not null or (attempts = 1 and last_outcome = 'delivered')) not valid;
