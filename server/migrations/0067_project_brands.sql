-- How a merchant's payer pages look. A logo is stored with its project, so a replaced one is deleted at once.
-- additive
create table project_brands (
  project_id text primary key,
  display_name text,
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  support_email text,
  website text,
  logo bytea check (length(logo) <= 131072),
  -- SHA-256 of the bytes that are served; part of their address.
  logo_hash bytea check (length(logo_hash) = 32),
  logo_extension text check (logo_extension in ('png', 'jpg', 'webp')),
  check ((logo is null) = (logo_hash is null) and (logo is null) = (logo_extension is null))
);
create index project_brands_by_logo on project_brands (logo_hash) where logo_hash is not null;
-- Last, because it locks the projects until the commit.
alter table project_brands add foreign key (project_id) references projects on delete cascade;
