-- A process reads its own lanes every second.
-- additive, without a transaction
create index concurrently if not exists callback_lanes_owned on callback_lanes (owner) where owner is not null;
