-- Sign-in asks whether a browser's token was issued here, whoever it was issued to.
create index devices_by_token on devices (token_hash);
