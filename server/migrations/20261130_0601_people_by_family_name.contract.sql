-- Earlier releases order people with the same name by their ids.

drop index employees_last_name_idx;
drop index employees_first_name_idx;
drop index employees_entity_last_name_idx;
drop index employees_department_last_name_idx;
drop index employees_no_sign_in_idx;
drop index employees_reporting_manager_id_idx;
