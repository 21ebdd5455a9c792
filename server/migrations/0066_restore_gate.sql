-- After a restore from a backup no money may move until the upstream's ledger was read. This row stops every process until then.
-- additive
alter table installation
  -- Null: open.
  add column gate_closed_at timestamptz,
  add column gate_reason text,
  -- From when on the upstream's ledger has to be read before the gate opens.
  add column gate_since timestamptz,
  -- Pay pages from before it cannot be used any more.
  add column restored_at timestamptz,
  -- Values of RESTORED_FROM that have closed the gate: each closes it once.
  add column restores text[] not null default '{}';
-- A token that was revoked after the backup works again after the restore, so all of them stop.
alter table api_tokens add column suspended_at timestamptz;
