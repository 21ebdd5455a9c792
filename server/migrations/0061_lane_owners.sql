-- One process at a time serves a lane: it sends without claiming each callback, and says which ones it is sending.
-- additive
create table delivery_processes (
  id uuid primary key,
  -- The name of its session that listens for notifications; null while that cannot be seen. Without the session it is dead.
  session text,
  -- Renewed every second. A process that is paused or cut off loses its lanes after this.
  lease_until timestamptz not null,
  -- It is starting or stopping: no lane is left to it.
  is_leaving boolean not null default false
) with (fillfactor = 50);

alter table callback_lanes
  add column owner uuid,
  -- Raised whenever the owner changes.
  add column fence bigint not null default 0,
  -- What the owner may be sending: `id:attempts before:trigger`. After its death these may have arrived.
  add column sending text[] not null default '{}',
  -- What earlier owners may have sent: the same, and since when it is held back, in milliseconds.
  add column held text[] not null default '{}',
  -- When the last owner gave it back: the preferred process comes first for a while.
  add column freed_at timestamptz;
-- Written with every batch that is sent, in place.
alter table callback_lanes set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
