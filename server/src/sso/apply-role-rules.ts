import { sql } from 'kysely';
import * as z from 'zod';
import type { RoleSource } from '../access/role-sources.ts';
import type { Db } from '../db/connect.ts';
import { addJob } from '../jobs/queue.ts';
import { inJobTransaction } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import { lockProviders } from './providers.ts';
import { reconcileRuleRoles } from './role-rules.ts';

/** Applies the rules to everyone who is linked: after a change, and once a day. */

export const applyTask = 'apply_role_rules';

/** The payload as a job is queued: one of the two. */
const Payload = z.object({ provider_id: z.int().optional(), scim_connection_id: z.int().optional() });
const batch = 500;

type Source = Pick<RoleSource, 'kind' | 'id'>;

/** Queues the job that applies the rules of a source. */
export async function queueRoleRules(db: Db, { kind, id }: Source): Promise<void> {
  const [payload, key] =
    kind === 'identity_provider' ? [{ provider_id: id }, String(id)] : [{ scim_connection_id: id }, `scim ${id}`];
  await addJob(db, applyTask, payload, { queue: applyTask, key: `${applyTask} ${key}` });
}

function sourceOf(payload: unknown): Source {
  const { provider_id, scim_connection_id } = Payload.parse(payload);
  return provider_id === undefined
    ? { kind: 'scim_connection', id: z.int().parse(scim_connection_id) }
    : { kind: 'identity_provider', id: provider_id };
}

/** Accounts whose roles the rules of a source, or of any source, may change. */
function accountsOf(source: Source | null) {
  const of = (kind: Source['kind'], column: string) => {
    if (source === null) return sql`true`;
    return source.kind === kind ? sql`${sql.ref(column)} = ${source.id}` : sql`false`;
  };
  return sql`
    select l.user_id from user_identities l
    where ${of('identity_provider', 'l.provider_id')} and (l.groups is not null
      or exists (select from role_assignments a where a.user_id = l.user_id and a.provider_id is not null))
    union
    select l.user_id from scim_users l where ${of('scim_connection', 'l.connection_id')} and l.user_id is not null`;
}

/** Applies the rules of one source to the people linked to it, or those of all sources to everyone. */
async function applyTo({ deps }: JobContext, source: Source | null): Promise<number> {
  const { db, log } = deps;
  const reason = source?.kind === 'scim_connection' ? 'Rules of the connection' : 'Rules of the provider';
  let [after, changed] = [0, 0];
  for (;;) {
    const { rows } = await sql<{ user_id: number }>`
      select user_id from (${accountsOf(source)}) as l
      where user_id > ${after} order by user_id limit ${batch}`.execute(db);
    const accounts = rows.map(({ user_id }) => user_id);
    const last = accounts.at(-1);
    if (last === undefined) break;
    changed += await inJobTransaction(db, async (trx) => {
      await lockProviders(trx);
      // like providers: switching one off comes before, and is seen, or after, and removes the roles
      await sql`select from scim_connections where is_enabled order by id for key share`.execute(trx);
      return reconcileRuleRoles({ db: trx }, accounts, reason);
    });
    after = last;
  }
  const named = source && { [source.kind === 'identity_provider' ? 'provider_id' : 'connection_id']: source.id };
  if (changed > 0)
    log.info({ event: 'role_rules_applied', people: changed, ...named }, 'group rules added or removed roles');
  return changed;
}

/** A job after a change of rules, or of many group members. */
export const applyRoleRules = (ctx: JobContext, payload: unknown): Promise<number> => applyTo(ctx, sourceOf(payload));

/** Once a day, because people who moved to another company may have left a provider's scope, for example. */
export const applyAllRoleRules = (ctx: JobContext): Promise<number> => applyTo(ctx, null);
