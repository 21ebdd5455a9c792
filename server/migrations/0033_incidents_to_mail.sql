-- Incidents that wait for the next mail of their kind: at most one mail an hour is sent, and none may be forgotten.
-- additive
create table incidents_to_mail (
  incident_id integer primary key references incidents on delete cascade,
  kind text not null
);
