-- Results of people without a sign-in: the self-assessment is skipped, and the reviewer or HR records the answer with the
-- day of the talk and the signed sheet.

alter table kpi_evaluations
  -- whether the person can answer; with the account of the person, kept by triggers
  add column person_signs_in boolean not null default true,
  add column talked_on date,
  add column answer_recorded_by bigint references users,
  add column answer_recorded_by_name text,
  drop constraint kpi_evaluations_acceptance_mode_check,
  add constraint kpi_evaluations_acceptance_mode_check
    check (acceptance_mode in ('employee', 'recorded', 'deemed_hr', 'deemed_job'));
alter table kpi_evidence
  drop constraint kpi_evidence_stage_check,
  add constraint kpi_evidence_stage_check check (stage in ('self', 'manager', 'hr', 'answer'));
create index kpi_evaluations_answer_recorded_by_idx on kpi_evaluations (answer_recorded_by)
  where answer_recorded_by is not null;
-- the tasks to record an answer: of the reviewer, and of HR where no reviewer can act
create index kpi_evaluations_record_answer_idx on kpi_evaluations
  ((case when reviewer_missing_since is null then reviewer_id end), entity_id, due_on)
  where status = 'pending_acceptance' and not person_signs_in;
-- the clock skips these self-assessments
create index kpi_evaluations_no_sign_in_idx on kpi_evaluations (id)
  where status = 'self_assessment' and not person_signs_in;

create function note_sign_in_of_evaluation() returns trigger language plpgsql as $$
begin
  new.person_signs_in := new.person_signs_in
    and exists (select from employees where id = new.employee_id and user_id is not null);
  return new;
end $$;
create trigger note_sign_in before insert on kpi_evaluations
  for each row execute function note_sign_in_of_evaluation();

create function note_sign_in_in_evaluations() returns trigger language plpgsql as $$
begin
  update kpi_evaluations set person_signs_in = new.user_id is not null where employee_id = new.id;
  return null;
end $$;
create trigger note_sign_in_in_evaluations after update of user_id on employees
  for each row when ((old.user_id is null) <> (new.user_id is null)) execute function note_sign_in_in_evaluations();
