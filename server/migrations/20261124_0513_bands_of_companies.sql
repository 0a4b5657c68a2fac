-- The bands with which new KPI cycles of a company begin, in whole percent.
alter table entities
  add column kpi_band_a_name text not null default 'A',
  add column kpi_band_a_from integer not null default 90 check (kpi_band_a_from between 1 and 100),
  add column kpi_band_b_name text not null default 'B',
  add column kpi_band_b_from integer not null default 80 check (kpi_band_b_from between 1 and 100),
  add column kpi_band_c_name text not null default 'C',
  add column kpi_band_c_from integer not null default 60 check (kpi_band_c_from between 1 and 100),
  add column kpi_band_d_name text not null default 'D',
  add constraint entities_kpi_band_b_limit check (kpi_band_b_from < kpi_band_a_from),
  add constraint entities_kpi_band_c_limit check (kpi_band_c_from < kpi_band_b_from),
  add constraint entities_kpi_band_names check (
    fold(kpi_band_a_name) <> all (array[fold(kpi_band_b_name), fold(kpi_band_c_name), fold(kpi_band_d_name)])
    and fold(kpi_band_b_name) <> all (array[fold(kpi_band_c_name), fold(kpi_band_d_name)])
    and fold(kpi_band_c_name) <> fold(kpi_band_d_name));
