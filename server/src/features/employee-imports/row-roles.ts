import { quoted } from '../../quoted.ts';
import type { Message } from '../../http/errors.ts';
import { text } from '@tenure/contract';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { fold } from '../../db/fold.ts';
import { covers } from '../../people/policy.ts';
import type { ScopedPerson } from '../../people/policy.ts';
import { liesWithin } from '../../access/given-roles.ts';
import type { Given, Role } from '../../access/given-roles.ts';
import type { Meaning } from '../../imports/cells.ts';

/** Roles given by a row, or the reason of a refusal. Null keeps the roles. */
export type RoleVerdict = { given: Given[] | null; error?: Message };

const isAdmin = ({ is_system, name }: Role) => is_system && name === 'Admin';
export const isDefault = ({ is_system, name }: Role) => is_system && name === 'Employee';

/** The role as the importer can give it: without a limit, or limited to the person's company. */
function asGiven(actor: Actor, role: Role, person: ScopedPerson): Given {
  const limited = role.scope !== 'own' && !reachOf(actor, 'employees.assign_roles').everything;
  return { role, entity_ids: limited ? [person.entity_id] : null };
}

function mayChange(actor: Actor, changed: readonly Given[], person: ScopedPerson): boolean {
  return (
    holds(actor, 'employees.assign_roles') &&
    covers(actor, reachOf(actor, 'employees.assign_roles'), person) &&
    changed.every((one) => liesWithin(actor, one, person))
  );
}

/**
 * Checks the role names of a row by the roles of the person; a new person has the default role. Roles that the row does
 * not name are removed; Admin is neither given nor removed.
 */
export function checkRoles(
  actor: Actor,
  roles: readonly Role[],
  {
    named,
    held,
    person,
  }: { named: Meaning; held: readonly (Omit<Given, 'role'> & { id: number })[] | null; person: ScopedPerson },
): RoleVerdict {
  const fallback = roles.filter(isDefault);
  const names = (named ?? '').split('|').flatMap((name) => name.trim() || []);
  const wanted = names.map((name) => roles.find((role) => fold(role.name) === fold(name)));
  const unknown = names.find((_, index) => wanted[index] === undefined);
  if (unknown !== undefined) return { given: null, error: text('imports.no_role', { name: quoted(unknown.trim()) }) };
  if (named === undefined && held) return { given: null };
  const target = wanted.length > 0 ? (wanted as Role[]) : fallback;
  const heldIds = new Set((held ?? fallback).map(({ id }) => id));
  const targetIds = new Set(target.map(({ id }) => id));
  const given = roles.filter(({ id }) => targetIds.has(id) && !heldIds.has(id));
  const taken = roles.filter(({ id }) => heldIds.has(id) && !targetIds.has(id));
  if (given.length + taken.length === 0)
    return { given: held ? null : fallback.map((role) => ({ role, entity_ids: null })) };
  if ([...given, ...taken].some(isAdmin)) return { given: null, error: text('imports.admin_not_by_import') };
  const limits = new Map(
    (held ?? []).map(({ id, entity_ids, in_departments }) => [id, { entity_ids, in_departments }]),
  );
  const kept = (role: Role): Given => ({ role, ...(limits.get(role.id) ?? { entity_ids: null }) });
  const changed = [...given.map((role) => asGiven(actor, role, person)), ...(held ? taken.map(kept) : [])];
  if (!mayChange(actor, changed, person)) return { given: null, error: text('imports.role_not_permitted') };
  return { given: target.map((role) => (heldIds.has(role.id) && held ? kept(role) : asGiven(actor, role, person))) };
}

/** Checks the role names of a row without an address: without an account, only the default role is possible. */
export function checkWithoutSignIn(
  roles: readonly Role[],
  { named, isNew }: { named: Meaning; isNew: boolean },
): RoleVerdict {
  const names = (named ?? '').split('|').flatMap((name) => name.trim() || []);
  const usual = roles.filter(isDefault).map(({ name }) => fold(name));
  if (names.some((name) => !usual.includes(fold(name))))
    return { given: null, error: text('imports.no_address_no_role') };
  return { given: isNew ? [] : null };
}
