-- After a password reset each passkey needs the new password once. Until now, one sign-in with it allowed all passkeys of the account.
-- additive
alter table passkeys add column password_given boolean not null default false;
