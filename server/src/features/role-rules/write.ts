import { text } from '@tenure/contract';
import type { BodyOut, roleRules } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid, invalidFields, say } from '../../http/errors.ts';
import { addJob } from '../../jobs/queue.ts';
import { roleName } from '../../languages/role-name.ts';
import { auditedRole, departmentIdsOf, loadRoles, mayGive, readGiven } from '../../people/roles.ts';
import type { Given } from '../../people/roles.ts';
import { applyTask } from '../../sso/apply-role-rules.ts';
import { asRules, findBeyond, isGivable } from '../../sso/role-rules.ts';
import type { StoredRule } from '../../sso/role-rules.ts';
import { checkRevision } from '../../workflow/transition.ts';
import type { StoredProvider } from '../identity-providers/queries.ts';
import { impactOfRules } from './preview.ts';

type Sent = BodyOut<typeof roleRules.preview>['rules'];
type Rule = { value: string; given: Given };

const keyOf = ({ value, role_id }: Sent[number]) => JSON.stringify([value, role_id]);

const stored = ({ value, given }: Rule): StoredRule => ({
  value,
  role_id: given.role.id,
  entity_ids: given.entity_ids,
  department_ids: departmentIdsOf(given),
});

/** Refuses roles that only administrators may have, and reach beyond the companies of the provider. */
async function refuseReserved(db: Db, provider: StoredProvider, rules: readonly StoredRule[]): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    select o.id, o.name from roles o
    where o.id = any(${rules.map(({ role_id }) => role_id)}::bigint[]) and not ${isGivable(sql`o`)}`.execute(db);
  const [reserved] = rows;
  const at = (found: Pick<StoredRule, 'role_id'> & Partial<StoredRule>) =>
    rules.findIndex(
      ({ role_id, value }) => role_id === found.role_id && (found.value === undefined || value === found.value),
    );
  if (reserved) {
    const field = `rules.${at({ role_id: reserved.id })}.role_id`;
    throw invalidFields({ [field]: [text('sso.role_reserved', { role: roleName(reserved.name) })] });
  }
  const beyond = await findBeyond(db, provider.entity_ids, asRules(provider.id, rules));
  if (!beyond) return;
  const field = `rules.${at(beyond)}.entity_ids`;
  throw invalidFields({ [field]: [say(field, text('sso.rule_beyond', { provider: provider.name }))] });
}

/**
 * Reads the rules. Who saves one gives its role to people, now and later, so the actor must be one who may give it there.
 */
async function readRules({ db, actor }: ReadCtx, provider: StoredProvider, sent: Sent): Promise<Rule[]> {
  const given = await readGiven(db, await loadRoles(db), sent, { field: 'rules', keyOf });
  // no company is 0, so that a role for the own record needs a reach over all
  const anywhere = { id: 0, entity_id: 0 };
  if (!given.every((one) => mayGive(actor, one, anywhere))) throw forbidden();
  const rules = given.map((one, index) => ({ value: sent[index]?.value ?? '', given: one }));
  await refuseReserved(db, provider, rules.map(stored));
  return rules;
}

/** What the sent rules would change. */
export async function previewRules(ctx: ReadCtx, provider: StoredProvider, sent: Sent) {
  const rules = await readRules(ctx, provider, sent);
  return impactOfRules(ctx.db, provider, rules.map(stored));
}

const audited = ({ value, given }: Rule) => ({ value, ...auditedRole(given) });

async function auditedRules(db: Db, id: number) {
  const { rows } = await sql<Omit<StoredRule, 'role_id'> & { role: string }>`
    select r.value, o.name as role, r.entity_ids, r.department_ids from role_rules r join roles o on o.id = r.role_id
    where r.provider_id = ${id} order by r.value, o.name`.execute(db);
  return rows.map(({ value, role, entity_ids, department_ids }) => ({
    value,
    role,
    entity_ids,
    ...(department_ids && { department_ids }),
  }));
}

async function replace(db: Db, id: number, rules: readonly StoredRule[]): Promise<void> {
  await sql`delete from role_rules where provider_id = ${id}`.execute(db);
  await sql`
    insert into role_rules (provider_id, value, role_id, entity_ids, department_ids)
    select provider_id, value, role_id, entity_ids, department_ids from (${asRules(id, rules)}) as r`.execute(db);
  // its revision shows the change
  await sql`update identity_providers set updated_at = now() where id = ${id}`.execute(db);
}

/** Replaces the rules of a locked provider; a job applies them to the linked people. */
export async function setRules(
  ctx: WriteCtx & { body: BodyOut<typeof roleRules.set> },
  provider: StoredProvider,
): Promise<void> {
  const { db, body } = ctx;
  checkRevision(provider, body, provider.is_enabled ? 'enabled' : 'disabled');
  const rules = await readRules(ctx, provider, body.rules);
  const { confirm } = await impactOfRules(db, provider, rules.map(stored));
  if (confirm !== null && body.confirm !== confirm)
    throw invalid('confirm', text('sso.confirm_rules', { provider: provider.name }));
  const before = await auditedRules(db, provider.id);
  await replace(db, provider.id, rules.map(stored));
  const after = rules.map(audited).sort((a, b) => (`${a.value} ${a.role}` < `${b.value} ${b.role}` ? -1 : 1));
  await record(ctx, {
    action: 'identity_provider.role_rules_changed',
    subject_id: provider.id,
    subject_label: provider.name,
    changes: { rules: { from: before, to: after } },
  });
  await addJob(db, applyTask, { provider_id: provider.id }, { queue: applyTask, key: `${applyTask} ${provider.id}` });
}
