import type { Employee } from '@tenure/contract';

/** Whether a person can sign in, and with which kind of password. */
export function passwordState(user: NonNullable<Employee['user']>): 'oneTime' | 'active' | 'none' {
  if (user.must_change_password) return 'oneTime';
  return user.has_password ? 'active' : 'none';
}
