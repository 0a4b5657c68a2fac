-- The trigger `begin` notes whether a person signs in. Deliveries go with their notification, and it with its account.

drop trigger note_sign_in on kpi_evaluations;
drop function note_sign_in_of_evaluation();
alter table notification_deliveries drop constraint notification_deliveries_user_id_fkey;
