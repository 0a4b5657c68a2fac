-- Words for the whole scores of a scale, the lowest first; an evaluation keeps those of its template.

alter table kpi_templates add column scale_words text[];
alter table kpi_templates add check (cardinality(scale_words) = scale_max - scale_min + 1);
alter table kpi_evaluations add column scale_words text[];
