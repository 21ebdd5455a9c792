-- An operator can remove the second factors of somebody who lost all of them, a day after the owner was notified.
-- additive
create table factor_resets (
  account_id uuid primary key,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null
);
create index factor_resets_due on factor_resets (due_at);

-- Last, because it locks the accounts until the commit.
alter table factor_resets add foreign key (account_id) references accounts on delete cascade;
