-- What an operator changes for the whole installation is audited too, and belongs to no account.
-- additive
alter table audit_events alter column account_id drop not null;
