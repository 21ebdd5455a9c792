-- What has an age is found by it: cleaning up reads only what goes. Test callbacks belong to no payment and go too.
-- additive, without a transaction
create index concurrently if not exists sessions_by_last_seen on sessions (last_seen_at);
create index concurrently if not exists mail_tokens_by_expiry on mail_tokens (expires_at);
create index concurrently if not exists mails_by_end on mails (coalesce(sent_at, gave_up_at))
  where coalesce(sent_at, gave_up_at) is not null;
create index concurrently if not exists api_tokens_by_end on api_tokens (least(expires_at, revoked_at));
create index concurrently if not exists devices_by_last_use on devices (last_used_at);
create index concurrently if not exists callbacks_tests_by_age on callbacks (created_at) where transaction_id is null;
