-- A project chooses which events its server is sent. Alone, so that pay links wait for one statement only.
-- additive
-- A server that was written for payments is never sent anything else.
alter table projects add column events text[] not null default '{payment.result}';
