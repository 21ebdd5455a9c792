-- When a background loop of any process last finished a step: without it nobody notices that no process delivers.
-- additive
create table loop_heartbeats (
  loop text primary key,
  beat_at timestamptz not null
);
