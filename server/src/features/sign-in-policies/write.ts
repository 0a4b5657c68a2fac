import type { BodyOut, SignInPolicy, signInPolicies } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalidFields, notFound } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { accountTables, decidedBy, fromElsewhere } from './accounts.ts';
import type { Target, Wanted } from './accounts.ts';
import { checkDay, recordDecision } from './demands.ts';
import { blockersOf } from './preflight.ts';

const own = (target: Target) => sql`p.entity_id is not distinct from ${target}::bigint`;

const settings = sql`p.sso_required, p.sso_provider_ids, p.second_factor_from, p.session_max_hours`;

/** The rule that applies to a target: its own row, else the default. */
export type StoredPolicy = Wanted & { revision: number; is_own: boolean; name: string | null };

/** The rules of all companies, the default first. */
export async function listPolicies(db: Db): Promise<SignInPolicy[]> {
  const { rows } = await sql<SignInPolicy>`
    with counted as (
      select e.entity_id, count(*) as n from ${accountTables}
      where not u.break_glass and u.account_kind = 'person' and u.is_enabled
        and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))
      group by e.entity_id
    ), targets as (
      select null::bigint as id, null::text as name union all select c.id, c.name from entities c
    )
    select case when t.id is not null then json_build_object('id', t.id, 'name', t.name) end as entity,
           p.entity_id is not distinct from t.id as is_own, ${settings}, p.revision,
           coalesce((select sum(k.n) from counted k where case when t.id is null
             then k.entity_id is null or not exists (select from sign_in_policies o where o.entity_id = k.entity_id)
             else k.entity_id = t.id end), 0)::int as people_count
    from targets t
    join lateral (select s.* from sign_in_policies s where s.entity_id = t.id or s.entity_id is null
                  order by s.entity_id nulls last limit 1) as p on true
    order by t.id is not null, fold(t.name), t.id`.execute(db);
  return rows;
}

/** A target as a record. Throws 404 without the company. */
export async function findTarget(db: Db, target: Target): Promise<{ target: Target }> {
  const { rows } = await sql`select from entities where id = ${target}`.execute(db);
  if (target !== null && rows.length === 0) throw notFound();
  return { target };
}

/** The rule of a target, locked with the default, from which a new row is created. Throws 404 without the company. */
export async function lockPolicy(db: Db, target: Target): Promise<StoredPolicy> {
  const { rows: names } = await sql<{ name: string }>`select name from entities where id = ${target} for share`.execute(
    db,
  );
  if (target !== null && names.length === 0) throw notFound();
  await sql`select from sign_in_policies p where ${own(target)} or p.entity_id is null order by p.id for update`.execute(
    db,
  );
  const { rows } = await sql<Omit<StoredPolicy, 'name'>>`
    select ${settings}, p.revision, ${own(target)} as is_own
    from sign_in_policies p where ${own(target)} or p.entity_id is null
    order by p.entity_id nulls last limit 1`.execute(db);
  const [policy] = rows;
  if (!policy) throw notFound();
  return { ...policy, name: names[0]?.name ?? null };
}

/** Ends sessions that the rule of the target no longer allows, and the mailed links of its people. */
async function endOtherWays(db: Db, target: Target, { sso_required, sso_provider_ids }: Wanted): Promise<void> {
  if (!sso_required) return;
  await sql`
    update session_register s set revoked_at = now(), reason = 'sign-in rule'
    from ${accountTables}
    where s.user_id = u.id and ${fromElsewhere(sso_provider_ids)} and ${decidedBy(target)}`.execute(db);
  await sql`
    update account_links l set revoked_at = now() from ${accountTables}
    where l.user_id = u.id and l.used_at is null and l.revoked_at is null and ${decidedBy(target)}`.execute(db);
  await sql`
    update own_account_links l set revoked_at = now() from ${accountTables}
    where l.user_id = u.id and l.purpose = 'requested_reset' and l.used_at is null and l.revoked_at is null
      and ${decidedBy(target)}`.execute(db);
}

/** Shortens sessions that would last longer than the rule of the target now allows. */
async function shorten(db: Db, target: Target, { session_max_hours: hours }: Wanted): Promise<void> {
  if (hours === null) return;
  const end = sql`s.created_at + make_interval(secs => ${hours * 3600}::float8)`;
  await sql`
    update session_register s set expires_at = ${end} from ${accountTables}
    where s.user_id = u.id and s.revoked_at is null and s.expires_at > ${end} and ${decidedBy(target)}`.execute(db);
}

const stateOf = ({ sso_required }: Wanted) => (sso_required ? 'required' : 'optional');

async function note(ctx: WriteCtx, target: Target, before: StoredPolicy, after: Wanted): Promise<void> {
  const { sso_required, sso_provider_ids, second_factor_from, session_max_hours } = after;
  await record(ctx, {
    action: 'sign_in_policy.updated',
    subject_id: target,
    subject_label: before.name,
    entity_id: target,
    changes: changesBetween(before, { sso_required, sso_provider_ids, second_factor_from, session_max_hours }),
  });
}

type Sent = BodyOut<typeof signInPolicies.preflight>;

/** The future rule: missing fields keep their value. Throws 422 for a past day. */
export function wantedOf(before: StoredPolicy, { sso_required, sso_provider_ids, ...sent }: Sent): Wanted {
  const { second_factor_from = before.second_factor_from, session_max_hours = before.session_max_hours } = sent;
  checkDay(before.second_factor_from, second_factor_from);
  return { sso_required, sso_provider_ids: [...new Set(sso_provider_ids)], second_factor_from, session_max_hours };
}

/** Sets the rule of a target. Throws 422 with all reasons against requiring a provider. */
export async function setPolicy(
  ctx: WriteCtx & { body: BodyOut<typeof signInPolicies.update> },
  target: Target,
  before: StoredPolicy,
): Promise<void> {
  const { db, body } = ctx;
  checkRevision(before, body, stateOf(before));
  const wanted = wantedOf(before, body);
  // the loss of an emergency account comes before, and is seen, or after, and is refused
  if (wanted.sso_required) await sql`select from installation for update`.execute(db);
  const blockers = await blockersOf(db, target, before, wanted);
  if (blockers.length > 0) throw invalidFields({ sso_required: blockers });
  const changes = changesBetween(before, wanted);
  if (before.is_own && Object.keys(changes).length === 0) return;
  const { sso_required, sso_provider_ids, second_factor_from, session_max_hours } = wanted;
  await sql`
    insert into sign_in_policies (entity_id, sso_required, sso_provider_ids, second_factor_from, session_max_hours)
    values (${target}, ${sso_required}, ${sso_provider_ids}::bigint[], ${second_factor_from}, ${session_max_hours})
    on conflict (entity_id) do update
      set sso_required = excluded.sso_required, sso_provider_ids = excluded.sso_provider_ids,
          second_factor_from = excluded.second_factor_from, session_max_hours = excluded.session_max_hours,
          revision = sign_in_policies.revision + 1, updated_at = now()`.execute(db);
  await endOtherWays(db, target, wanted);
  await shorten(db, target, wanted);
  if (second_factor_from !== null) await recordDecision(db);
  await note(ctx, target, before, wanted);
}

/** Removes the row of a company, to which the default then applies again. */
export async function resetPolicy(ctx: WriteCtx, target: number, before: StoredPolicy): Promise<void> {
  if (!before.is_own) return;
  await sql`delete from sign_in_policies where entity_id = ${target}`.execute(ctx.db);
  const after = await lockPolicy(ctx.db, target);
  await endOtherWays(ctx.db, target, after);
  await shorten(ctx.db, target, after);
  await note(ctx, target, before, after);
}
