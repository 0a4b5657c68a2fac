-- Why an import or a change of a job failed is a message with its parameters, said in the language of who reads it.
-- What was stored as an English sentence stays one.
alter table imports alter column failure type jsonb using to_jsonb(failure);
alter table job_history alter column failure type jsonb using to_jsonb(failure);
