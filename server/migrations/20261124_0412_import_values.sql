-- Texts of a file are matched with the choices of a field, as its columns are with fields.

alter table imports add column values jsonb not null default '{}';

-- what texts of earlier files were matched with: proposals for the next file, of any company
create table import_words (
  field text not null,
  -- the text in folded form
  word text not null,
  -- null: the cell is left empty
  value text,
  created_at timestamptz(3) not null default now(),
  primary key (field, word)
);
