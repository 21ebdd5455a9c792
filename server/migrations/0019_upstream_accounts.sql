-- Which account of which upstream payments were opened with: after a change of settings they are looked up nowhere else.
-- additive
create table upstream_accounts (
  backend text not null,
  -- As stored with payments; '' stands for those from before the account was stored.
  stored_as text not null,
  -- The account this is a name of; '' until the upstream is configured for the first time.
  account text not null,
  -- Null: no payment was opened with it.
  last_used_at timestamptz,
  primary key (backend, stored_as)
);
-- One read, and of few rows ever anything but 'sandbox', which needs no settings.
insert into upstream_accounts (backend, stored_as, account, last_used_at)
select backend, '', '', max(created_at) from transactions where backend <> 'sandbox' group by backend;
