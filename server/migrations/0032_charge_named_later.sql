-- A charge whose name comes after the success is stored, once: without it a second charge cannot be told from the first.
-- additive
create or replace function guard_transaction() returns trigger language plpgsql as $$
begin
  if (new.id, new.project_id, new.mode, new.attempt_id, new.amount, new.currency, new.backend)
     is distinct from
     (old.id, old.project_id, old.mode, old.attempt_id, old.amount, old.currency, old.backend) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  if (new.custom_id, new.data) is distinct from (old.custom_id, old.data)
     and not coalesce(old.completed_at is not null and new.custom_id is null and new.data is null
       and new.erased_at is not null and (old.custom_id is null or old.custom_id_hash is not null), false) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  if (old.custom_id_hash is not null and new.custom_id_hash is distinct from old.custom_id_hash)
     or (old.erased_at is not null and new.erased_at is distinct from old.erased_at) then
    raise exception 'transaction % cannot be erased in another way', old.id using errcode = 'check_violation';
  end if;
  if new.state <> old.state and (old.state, new.state) not in (
       ('processing', 'requires_action'), ('processing', 'succeeded'), ('processing', 'failed'),
       ('requires_action', 'succeeded'), ('requires_action', 'failed'), ('requires_action', 'expired')) then
    raise exception 'transaction % cannot go from % to %', old.id, old.state, new.state using errcode = 'check_violation';
  end if;
  if old.completed_at is not null
     and ((new.failure_code, new.completed_at) is distinct from (old.failure_code, old.completed_at)
       or (new.upstream_ref is distinct from old.upstream_ref
         and not (old.state = 'succeeded' and old.upstream_ref is null))) then
    raise exception 'transaction % is final', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
