-- The end of an employment revokes the open links of its account, as it does those that HR sent.

create trigger void_own_links after update of activity_status, deleted_at, employment_lifecycle on employees
  for each row when (old.activity_status <> 'inactive' and new.activity_status = 'inactive'
                     or old.deleted_at is null and new.deleted_at is not null
                     or old.employment_lifecycle not in ('resigned', 'terminated')
                        and new.employment_lifecycle in ('resigned', 'terminated'))
  execute function void_own_account_links('user_id');
