-- A listener reports how the merchant's program responded to a callback that was forwarded to it.
-- additive
alter table callback_attempts
  -- Null with a time: there was no response.
  add column reported_status integer,
  add column reported_ms integer,
  add column reported_at timestamptz;
