import { sql } from 'kysely';
import * as z from 'zod';
import { inJob } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import { holdProviders } from './providers.ts';
import { settleProviderRoles } from './role-rules.ts';

/** Applies the rules to everyone who is linked, after a change and once a day. */

export const applyTask = 'apply_role_rules';

const Payload = z.object({ provider_id: z.int() });
const batch = 500;

type Linked = { user_id: number };

/** Applies the rules of one provider to the people who are linked to it, or those of all to everyone. */
async function applyTo({ deps }: JobContext, providerId: number | null): Promise<number> {
  const { db, log } = deps;
  let [after, changed] = [0, 0];
  for (;;) {
    const { rows } = await sql<Linked>`
      select distinct user_id from user_identities
      where (${providerId}::bigint is null or provider_id = ${providerId}) and user_id > ${after}
        and (groups is not null or exists (
          select from role_assignments a where a.user_id = user_identities.user_id and a.source = 'provider'))
      order by user_id limit ${batch}`.execute(db);
    const accounts = rows.map(({ user_id }) => user_id);
    const last = accounts.at(-1);
    if (last === undefined) break;
    changed += await inJob(db, async (trx) => {
      await holdProviders(trx);
      return settleProviderRoles({ db: trx }, accounts, 'Rules of the provider');
    });
    after = last;
  }
  if (changed > 0)
    log.info(
      { event: 'role_rules_applied', people: changed, ...(providerId !== null && { provider_id: providerId }) },
      'rules of providers gave or took roles',
    );
  return changed;
}

/** A job after a change of rules. */
export const applyRoleRules = (ctx: JobContext, payload: unknown): Promise<number> =>
  applyTo(ctx, Payload.parse(payload).provider_id);

/** Once a day: people who moved to another company are no longer those of a provider, for example. */
export const applyAllRoleRules = (ctx: JobContext): Promise<number> => applyTo(ctx, null);
