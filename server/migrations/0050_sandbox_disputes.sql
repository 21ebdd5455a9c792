-- The sandbox's payments of 4007 are disputed; the list of its disputes is made from them.
-- additive, without a transaction
create index concurrently if not exists sandbox_charges_disputed on sandbox_charges (created_at, id)
  where amount = 4007 and status = 'succeeded';
