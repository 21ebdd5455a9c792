-- Delivery for many shops at once: fair lanes, their health, a log that stays quick with millions of rows, and live streams.
alter table callbacks
  -- Who asked for the try that comes next.
  add column trigger text not null default 'auto' check (trigger in ('auto', 'manual', 'test', 'exam')),
  -- Tries made before a person sent it again: from there the schedule starts anew.
  add column round_from integer not null default 0,
  -- Answers of this round that meant "the order is not written yet"; they take no step of the schedule.
  add column not_ready integer not null default 0,
  add column last_outcome text,
  -- When the payer's browser was sent back to the shop, where that waited for this callback.
  add column payer_returned_at timestamptz,
  -- Once delivered it stays so: sending it again by hand keeps the first time, whatever comes of it.
  drop constraint callbacks_check1,
  add constraint callbacks_delivered check (status <> 'delivered' or delivered_at is not null);

-- What is due, over all lanes. The second condition always holds; asking for it is how one statement gets this index, and
-- questions about one lane cannot be led into walking everybody's queue by age.
drop index callbacks_due;
create index callbacks_due on callbacks (next_at) where status = 'pending' and attempts >= 0;
-- A lane is one project in one mode. What waits in it, in the order it came due.
create index callbacks_lane on callbacks (project_id, mode, next_at) where status = 'pending';
-- The log, newest first. The list asks for each mode and status apart and merges, so that no filter has to walk past
-- what it does not want.
create index callbacks_log on callbacks (project_id, mode, status, created_at desc, id desc);
create index callbacks_log_by_outcome on callbacks (project_id, mode, last_outcome, status, created_at desc, id desc)
  where last_outcome <> 'delivered';
-- Bytewise, whatever the collation, so that a prefix is a range.
create index callbacks_log_by_custom_id on callbacks (project_id, mode, status, custom_id collate "C", id desc)
  where custom_id is not null;

-- By project, as every key here; finds the newest for a stream that comes back and the oldest for removal.
create index callback_attempts_by_time on callback_attempts (project_id, started_at);

-- Queue tables turn over whole; waiting for a fifth of the rows to be dead would leave every scan to step over them.
alter table callbacks set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- How a lane fares. A lane that has never failed has no row, so that healthy deliveries write nothing here.
create table callback_lanes (
  project_id text not null references projects on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  last_failure_at timestamptz,
  -- A lane that keeps failing gets one probe at a time, none before this instant ...
  probe_at timestamptz not null default now(),
  -- ... and its other rows stand in line, each with an instant of its own; the last one's is this.
  line_until timestamptz not null default now(),
  -- When the merchant was last told that it fails and since when it has failed, until he knows that it works again.
  told_at timestamptz,
  down_since timestamptz,
  healed_at timestamptz,
  exhausted_untold integer not null default 0,
  exhausted_told_at timestamptz,
  primary key (project_id, mode),
  check ((failures_in_row = 0) = (failing_since is null))
);
create index callback_lanes_to_tend on callback_lanes (project_id, mode)
  where failures_in_row > 0 or healed_at is not null or exhausted_untold > 0;

-- Open event streams of all processes. A stream whose process died runs out by itself.
create table event_streams (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  project_id text not null references projects on delete cascade,
  expires_at timestamptz not null
);
create index event_streams_by_account on event_streams (account_id);
create index event_streams_by_project on event_streams (project_id);
