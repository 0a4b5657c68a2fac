import { text } from '@tenure/contract';
import type { BodyOut, roleRules } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { forbidden, invalid, invalidFields, say } from '../../http/errors.ts';
import { roleName } from '../../languages/role-name.ts';
import { loadRoles } from '../../access/given-roles.ts';
import { auditedRole, departmentIdsOf, readGiven } from '../../people/roles.ts';
import type { Given } from '../../access/given-roles.ts';
import { queueRoleRules } from '../../sso/apply-role-rules.ts';
import { asRules, findRuleOutside, isGivable, rulesOf } from '../../sso/role-rules.ts';
import type { StoredRule } from '../../sso/role-rules.ts';
import { mayGiveByRules } from '../../people/rules-to-give.ts';
import { checkRevision } from '../../workflow/transition.ts';
import type { RulesOwner } from './owners.ts';
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

const beyondText = {
  identity_provider: (provider: string) => text('sso.rule_beyond', { provider }),
  scim_connection: (connection: string) => text('scim.rule_beyond', { connection }),
};

/** Refuses roles that only administrators can have, and scopes outside the companies of the owner. */
async function refuseReserved(db: Db, owner: RulesOwner, rules: readonly StoredRule[]): Promise<void> {
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
  const beyond = await findRuleOutside(db, owner.entity_ids, asRules(owner, rules));
  if (!beyond) return;
  const field = `rules.${at(beyond)}.entity_ids`;
  throw invalidFields({ [field]: [say(field, beyondText[owner.kind](owner.name))] });
}

/** Reads the rules. Each gives its role to people, now and later, so the actor needs the right to give it there. */
async function readRules({ db, actor }: ReadCtx, owner: RulesOwner, sent: Sent): Promise<Rule[]> {
  const given = await readGiven(db, await loadRoles(db), sent, { field: 'rules', keyOf });
  if (!mayGiveByRules(actor, given)) throw forbidden();
  const rules = given.map((one, index) => ({ value: sent[index]?.value ?? '', given: one }));
  await refuseReserved(db, owner, rules.map(stored));
  return rules;
}

/** The effect of the rules in the request. */
export async function previewRules(ctx: ReadCtx, owner: RulesOwner, sent: Sent) {
  const rules = await readRules(ctx, owner, sent);
  return impactOfRules(ctx.db, owner, rules.map(stored));
}

const audited = ({ value, given }: Rule) => ({ value, ...auditedRole(given) });

const inOrder = <One extends { value: string; role: string }>(rules: readonly One[]): One[] =>
  rules.toSorted((a, b) => (`${a.value} ${a.role}` < `${b.value} ${b.role}` ? -1 : 1));

async function auditedRules(db: Db, owner: RulesOwner) {
  const { rows } = await sql<Omit<StoredRule, 'role_id'> & { role: string }>`
    select r.value, o.name as role, r.entity_ids, r.department_ids
    from (${rulesOf(owner)}) as r join roles o on o.id = r.role_id order by r.value, o.name`.execute(db);
  return rows.map(({ value, role, entity_ids, department_ids }) => ({
    value,
    role,
    entity_ids,
    ...(department_ids && { department_ids }),
  }));
}

/** The tables of the rules of each kind, and of the owners that have their revision. */
const stores = {
  identity_provider: { rules: 'role_rules', of: 'provider_id', owners: 'identity_providers' },
  scim_connection: { rules: 'scim_role_rules', of: 'connection_id', owners: 'scim_connections' },
} as const;

async function replace(db: Db, owner: RulesOwner, rules: readonly StoredRule[]): Promise<void> {
  const store = stores[owner.kind];
  const [table, of] = [sql.table(store.rules), sql.ref(store.of)];
  await sql`delete from ${table} where ${of} = ${owner.id}`.execute(db);
  await sql`
    insert into ${table} (${of}, value, role_id, entity_ids, department_ids)
    select source_id, value, role_id, entity_ids, department_ids from (${asRules(owner, rules)}) as r`.execute(db);
  // the owner's revision shows the change
  await sql`update ${sql.table(store.owners)} set updated_at = now() where id = ${owner.id}`.execute(db);
}

/** Replaces the rules of a locked owner; a job applies them to the linked people. */
export async function setRules(
  ctx: WriteCtx & { body: BodyOut<typeof roleRules.set> },
  owner: RulesOwner,
): Promise<void> {
  const { db, body } = ctx;
  checkRevision(owner, body, owner.is_enabled ? 'enabled' : 'disabled');
  const rules = await readRules(ctx, owner, body.rules);
  const changes = changesBetween(
    { rules: inOrder(await auditedRules(db, owner)) },
    { rules: inOrder(rules.map(audited)) },
  );
  if (Object.keys(changes).length === 0) return;
  const { confirm } = await impactOfRules(db, owner, rules.map(stored));
  if (confirm !== null && body.confirm !== confirm)
    throw invalid('confirm', text('sso.confirm_rules', { provider: owner.name }));
  await replace(db, owner, rules.map(stored));
  await record(ctx, {
    action: `${owner.kind}.role_rules_changed`,
    subject_id: owner.id,
    subject_label: owner.name,
    changes,
  });
  await queueRoleRules(db, owner);
}
