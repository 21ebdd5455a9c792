-- Whether callbacks are stored as migration 0083 describes. Earlier releases would not send such callbacks, so they may not serve lanes then.
-- additive
alter table installation add column compact_callbacks boolean not null default false;
-- A new installation has no earlier release. On others an operator turns it on.
update installation set compact_callbacks = true where not exists (select from accounts);

-- False: the process is of an earlier release.
alter table delivery_processes add column reads_compact boolean not null default false;

create function refuse_process_that_reads_no_compact() returns trigger language plpgsql as $$
declare
  is_on boolean;
begin
  -- The lock makes the command that turns it on wait, so that it sees this process.
  select compact_callbacks into is_on from installation where is_only for share;
  if is_on then
    raise exception 'This release cannot read compact callbacks. Turn them off first: npm run pazar -- callbacks compact off';
  end if;
  return new;
end $$;

create trigger delivery_processes_read_compact before insert or update on delivery_processes for each row
  when (not new.reads_compact) execute function refuse_process_that_reads_no_compact();
