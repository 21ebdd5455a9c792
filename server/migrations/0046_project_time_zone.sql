-- A statement counts by days of the project's own time zone. Alone, so that pay links wait for one statement only.
-- additive
alter table projects add column time_zone text;
