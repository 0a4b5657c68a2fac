import type { Endpoint } from '@tenure/contract';
import type { Actor } from '../access/actor.ts';
import { sha256Hex } from '../crypto/crypto.ts';
import type { Route, Params, RecordRead } from './context.ts';

/**
 * A repeat with an Idempotency-Key is checked like the original request. If a GET reads the record that the endpoint
 * returns, only the record's id is stored, and the repeat rereads it: its sender gets what they may see now, or 403 or
 * 404. Any other answer is stored unchanged, with a fingerprint of what its sender could see.
 */

const dataOf = ({ reply }: Endpoint) => reply?.shape.data;
const lastParameter = (path: string) => /\/:(\w+)$/.exec(path)?.[1];

/** How to reread what a POST returns: a GET that returns the very same kind of record. */
export function recordReadOf({ endpoint }: Route, all: readonly Route[]): RecordRead | undefined {
  const data = dataOf(endpoint);
  if (endpoint.method !== 'POST' || !data) return undefined;
  for (const route of all) {
    const { method, path } = route.endpoint;
    const name = lastParameter(path);
    if (method !== 'GET' || dataOf(route.endpoint) !== data || name === undefined) continue;
    if (path === `${endpoint.path}/:${name}`) return { route, params: (params, id) => ({ ...params, [name]: id }) };
    if (endpoint.path.startsWith(`${path}/`))
      return { route, params: (params, id) => (params[name] === id ? params : undefined) };
  }
  return undefined;
}

type StoredReply = { data: { id?: unknown } } & Record<string, unknown>;

/** The record that an answer is about, if it can be reread. */
export function readAgain(
  { recordRead }: Route,
  params: Params,
  text: string,
): { route: Route; params: Params; stored: StoredReply } | undefined {
  if (!recordRead || text === '') return undefined;
  const stored = JSON.parse(text) as StoredReply;
  const { id } = stored.data;
  const where = typeof id === 'number' ? recordRead.params(params, id) : undefined;
  return where && { route: recordRead.route, params: where, stored };
}

/** What is stored of an answer whose record is reread: everything but the record. */
export const withoutRecord = ({ data: { id }, ...rest }: StoredReply): string =>
  JSON.stringify({ ...rest, data: { id } });

/** The fields that decide who sees a row, and the parts of the result that contain rows. */
const sightFields = (
  'id entity_id department_id reporting_manager_id employee_id reviewer_id owner_id person_entity_id ' +
  'person_department_id person_manager_id status visibility category is_shared ' +
  'person file row review evaluation piece view record'
).split(' ');

/** A hash of the actor's rights and the row's state: equal as long as neither changed. */
export function sightHash(actor: Actor, found: unknown): string {
  const { grants, managed_departments, managers_below, superiors, employee_id, is_admin } = actor;
  const rights = grants.map((grant) => ({ ...grant, permissions: [...grant.permissions].sort() }));
  return sha256Hex(
    JSON.stringify([rights, managed_departments, managers_below, superiors, employee_id, is_admin]) +
      (JSON.stringify(found, sightFields) ?? ''),
  );
}
