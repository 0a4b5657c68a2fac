import type { Employee } from '@tenure/contract';

type PasswordState = 'oneTime' | 'active' | 'none' | 'invited' | 'expired';

/** How close a person is to having a password of their own. */
export function passwordState(user: NonNullable<Employee['user']>, now = Date.now()): PasswordState {
  if (user.invitation) return Date.parse(user.invitation.expires_at) > now ? 'invited' : 'expired';
  if (user.must_change_password) return 'oneTime';
  return user.has_password ? 'active' : 'none';
}
