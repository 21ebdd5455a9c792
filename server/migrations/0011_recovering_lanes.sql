-- A shop that comes back is met with more and more callbacks at once, and its owner is told what became of those that waited.
alter table callback_lanes
  -- How many may be on their way at once since it was last found back; null: it has shown that it takes them all.
  add column ramp integer check (ramp > 0),
  -- Since it was told to be down: what was delivered late, and what was given up.
  add column caught_up integer not null default 0,
  add column given_up integer not null default 0;
