-- An order whose ended payment may have been charged after all is held until a person has looked. Not by the unique index
-- on customId: such a report can also come when the order has been paid by another try, and it must be written down then too.
create index transactions_in_review on transactions (project_id, mode, custom_id)
  where needs_review and custom_id is not null;
