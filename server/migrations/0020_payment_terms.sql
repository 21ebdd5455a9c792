-- A payment keeps the upstream account it was opened with and the decimals its amount was shown with.
-- additive
alter table transactions
  -- Null in both: written by a release that did not store it (upstream_accounts, installation).
  add column upstream_account text,
  add column amount_scale smallint check (amount_scale between 0 and 4);

create function guard_payment_terms() returns trigger language plpgsql as $$
begin
  if (new.upstream_account, new.amount_scale) is distinct from (old.upstream_account, old.amount_scale) then
    raise exception 'transaction % cannot change what is paid', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
-- Fires only for statements that name these columns, so it costs the others nothing.
create trigger transactions_terms_guard before update of upstream_account, amount_scale on transactions
  for each row execute function guard_payment_terms();
