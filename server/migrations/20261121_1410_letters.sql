-- Templates of letters; null stands for the text that comes with the service, in the language of the reader.
create table letter_templates (
  kind text primary key check (kind in ('confirmation', 'extension', 'termination', 'review_record')),
  title text,
  body text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  revision integer not null default 1
);
create trigger touch before update on letter_templates for each row execute function touch_row();
insert into letter_templates (kind) values ('confirmation'), ('extension'), ('termination'), ('review_record');
