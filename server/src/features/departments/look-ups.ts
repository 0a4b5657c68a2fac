import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import { companiesNamed, departmentsIn, entitiesIn } from '../../access/scope.ts';
import { missing, taken } from '../../http/look-ups.ts';
import type { LookUp, Sent } from '../../http/look-ups.ts';

/** Checks of department fields that need the database; stored values stay valid. */
export const departmentLookUps =
  (permission: Permission) =>
  ({ actor, id, sent }: Sent): LookUp[] => {
    const { entity_id, name, code, parent_id } = sent;
    const reach = reachOf(actor, permission);
    const entity = sql`coalesce(${entity_id ?? null}::bigint, (select own.entity_id from departments own where own.id = ${id}::bigint))`;
    // nothing is revealed about companies outside the scope
    const beside = sql`d.entity_id = ${entity} and d.id is distinct from ${id}::bigint and (
      ${companiesNamed(reach, 'd.entity_id')} or d.entity_id = (select own.entity_id from departments own where own.id = ${id}::bigint))`;
    const kept = (field: 'entity_id' | 'parent_id') =>
      sql`select from departments own where own.id = ${id}::bigint and ${sql.ref(`own.${field}`)} = ${sent[field]}::bigint`;
    return [
      ...missing(
        'entity_id',
        entity_id,
        sql`select from entities n where n.id = ${entity_id}::bigint and n.status = 'active' and ${entitiesIn(reach, 'n.id')}
            union all ${kept('entity_id')}`,
      ),
      ...taken('name', name, sql`select from departments d where fold(d.name) = fold(${name}) and ${beside}`),
      ...taken('code', code || null, sql`select from departments d where fold(d.code) = fold(${code}) and ${beside}`),
      ...missing(
        'parent_id',
        parent_id,
        sql`select from departments d where d.id = ${parent_id}::bigint and ${departmentsIn(actor, reach)}
            union all ${kept('parent_id')}`,
      ),
    ];
  };
