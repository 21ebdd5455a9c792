-- An open payment always has a time for its next lookup, so that none can be forgotten by any statement, ours or an operator's.
-- additive
alter table transactions alter column next_check_at set default now() + interval '30 seconds';
update transactions set next_check_at = now() where state in ('processing', 'requires_action') and next_check_at is null;
-- Not validated: the statement above has just seen to the rows that exist, and reading the whole table would hold up payers.
alter table transactions add constraint transactions_open_are_due
  check (next_check_at is not null or state not in ('processing', 'requires_action')) not valid;
