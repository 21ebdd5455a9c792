-- One attempt is inserted per delivery: the check that its callback exists was a seventh of the database's work on it.
-- additive

-- Nothing is lost: the statement that inserts an attempt has just updated, and so locked, its callback. Both tables are locked
-- in the order of that statement, so that neither waits for the other.
lock table callbacks in access exclusive mode;
alter table callback_attempts drop constraint callback_attempts_project_id_callback_id_fkey;
