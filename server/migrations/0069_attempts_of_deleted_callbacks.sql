-- Attempts are deleted with their callback by a trigger, so that their foreign key can be dropped. Alone: callbacks are locked.
-- additive
create function delete_attempts_of_callbacks() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from callback_attempts;
  else
    delete from callback_attempts a using gone g where a.project_id = g.project_id and a.callback_id = g.id;
  end if;
  return null;
end $$;

create trigger callbacks_deleted after delete on callbacks referencing old table as gone
  for each statement execute function delete_attempts_of_callbacks();
create trigger callbacks_truncated after truncate on callbacks
  for each statement execute function delete_attempts_of_callbacks();
