-- Earlier releases claim callbacks one by one: they may not in a lane that a process serves, or both would send.
-- additive

-- A process that has been silent for longer than a request lasts serves nothing. Remove this when no such release can run any
-- more. In a migration of its own: it would otherwise hold the lock of the lanes while it waits for that of the callbacks.
create function is_lane_owned(project text, lane_mode text) returns boolean language sql as $$
  select exists (select from callback_lanes l join delivery_processes p on p.id = l.owner
    where l.project_id = project and l.mode = lane_mode
      -- Two transactions may disagree a little about the time. A lease far in the future is from a clock that was turned back.
      and p.lease_until between now() - interval '30 seconds' and now() + interval '20 seconds') $$;

create function refuse_claim_in_owned_lane() returns trigger language plpgsql as $$
begin
  if is_lane_owned(new.project_id, new.mode) then
    return null;
  end if;
  -- The lane's row is locked until the claim is committed, so that nobody takes the lane before the claim can be seen.
  insert into callback_lanes (project_id, mode) values (new.project_id, new.mode) on conflict do nothing;
  perform from callback_lanes where project_id = new.project_id and mode = new.mode for share;
  if is_lane_owned(new.project_id, new.mode) then
    return null;
  end if;
  return new;
end $$;

create trigger callbacks_claimed before update of status on callbacks for each row
  when (old.status = 'pending' and new.status = 'sending') execute function refuse_claim_in_owned_lane();
