-- The invitations of a deleted project are deleted with it. Apart, because it locks the projects until the commit.
-- additive
alter table project_invitations add foreign key (project_id) references projects on delete cascade;
