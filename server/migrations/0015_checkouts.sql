-- Without a customId nothing else says that a failed attempt and a paid one are the same checkout, and a late "fail" could undo it.
-- additive
-- The first attempt of the checkout. Null where a customId links the attempts, and in rows of an older release.
alter table transactions add column checkout_id uuid;
alter table callbacks add column checkout_id uuid;
