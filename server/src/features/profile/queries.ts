import type { Preferences, Profile } from '@tenure/contract';
import type { ReadCtx } from '../../http/context.ts';
import { unauthenticated } from '../../http/errors.ts';
import { employeeReply } from '../../people/queries.ts';

/** The caller's account with their own record, roles and permissions. */
export async function readProfile(ctx: ReadCtx): Promise<Profile> {
  const { db, actor } = ctx;
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'last_login_at', 'must_change_password', 'locale', 'preferences'])
    .where('id', '=', actor.user_id)
    .$narrowType<{ preferences: Preferences }>()
    .executeTakeFirstOrThrow(unauthenticated);
  return {
    user,
    employee: actor.employee_id === null ? null : await employeeReply(ctx, actor.employee_id),
    roles: [...actor.roles].sort(),
    permissions: [...actor.permissions],
  };
}
