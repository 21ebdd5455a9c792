-- A token that refunds belongs to one project and is limited per day.
-- additive
alter table api_tokens
  add column project_id text references projects on delete cascade,
  add column daily_cap bigint check (daily_cap between 1 and 999999999999),
  drop constraint api_tokens_scope_check,
  add constraint api_tokens_scope_check check (scope in ('read', 'write', 'refund')),
  add constraint api_tokens_refund check ((scope = 'refund') = (daily_cap is not null) and (scope <> 'refund' or project_id is not null));
