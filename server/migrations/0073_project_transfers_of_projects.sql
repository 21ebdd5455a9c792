-- The transfer of a deleted project is deleted with it. Apart, because it locks the projects until the commit.
-- additive
alter table project_transfers add foreign key (project_id) references projects on delete cascade;
