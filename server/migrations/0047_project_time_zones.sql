-- A statement counts by days of the project's own time zone, so that a change of its owner's moves nothing.
-- additive
-- A trigger, because the previous release inserts projects without it during a deploy.
create function set_project_time_zone() returns trigger language plpgsql as $$
begin
  new.time_zone := coalesce(new.time_zone, (select time_zone from accounts where id = new.owner_id));
  return new;
end $$;
create trigger projects_time_zone before insert on projects for each row execute function set_project_time_zone();

-- After the trigger, which waits for open inserts: no project is missed.
update projects p set time_zone = a.time_zone from accounts a where a.id = p.owner_id;
