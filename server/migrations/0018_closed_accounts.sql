-- An account that was closed while its payments must be kept stays as an empty row: who owned them, without the person.
-- additive
alter table accounts add column closed_at timestamptz;
