-- A project without a server yet has an inbox: what would be sent to it is stored, so that a developer can read it.
-- additive
create table inbox_requests (
  id bigint generated always as identity primary key,
  project_id text not null,
  callback_id text not null,
  received_at timestamptz not null default now(),
  headers jsonb not null,
  -- The exact text that was signed; without its hash in live mode.
  body text not null,
  -- Whether the signature was right when it arrived.
  verified boolean not null
);
create index inbox_requests_newest on inbox_requests (project_id, id desc);
create index inbox_requests_by_callback on inbox_requests (project_id, callback_id);
create index inbox_requests_by_age on inbox_requests (received_at);
-- Last, because it locks the callbacks until the commit.
alter table inbox_requests add foreign key (project_id, callback_id) references callbacks (project_id, id) on delete cascade;
