-- What is demanded of an account is read with its rights, which are kept until their version changes.

create trigger bump_on_second_factor after update of second_factor_from on roles
  for each statement execute function bump_structure_version();
create trigger bump_on_policy after insert or update or delete on sign_in_policies
  for each statement execute function bump_structure_version();
