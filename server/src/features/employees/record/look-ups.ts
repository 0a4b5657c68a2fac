import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../../access/actor.ts';
import { departmentsIn, companiesNamed, visiblePeople } from '../../../access/scope.ts';
import { missing, taken } from '../../../http/look-ups.ts';
import type { LookUp, Sent } from '../../../http/look-ups.ts';

/** Checks of a person's fields that need the database; stored values stay valid. */
export const personLookUps =
  (permission: Permission) =>
  ({ actor, id, sent }: Sent): LookUp[] => {
    const { employee_number, email, entity_id, department_id, reporting_manager_id } = sent;
    const reach = reachOf(actor, permission);
    const kept = (field: 'entity_id' | 'department_id' | 'reporting_manager_id') =>
      sql`select from employees own where own.id = ${id}::bigint and ${sql.ref(`own.${field}`)} = ${sent[field]}::bigint`;
    return [
      ...taken(
        'employee_number',
        employee_number || null,
        sql`select from employees where fold(employee_number) = fold(${employee_number}) and id is distinct from ${id}::bigint`,
      ),
      ...taken(
        'email',
        email,
        sql`select from users u left join employees e on e.user_id = u.id
            where u.email = ${email} and (e.id is null or e.id is distinct from ${id}::bigint)`,
      ),
      ...missing(
        'entity_id',
        entity_id,
        sql`select from entities n where n.id = ${entity_id}::bigint and n.status = 'active' and ${companiesNamed(reach, 'n.id')}
            union all ${kept('entity_id')}`,
      ),
      ...missing(
        'department_id',
        department_id,
        sql`select from departments d where d.id = ${department_id}::bigint and d.status = 'active'
              and ${departmentsIn(actor, reach)} and d.entity_id = coalesce(${entity_id ?? null}::bigint, d.entity_id)
            union all ${kept('department_id')}`,
      ),
      ...missing(
        'reporting_manager_id',
        reporting_manager_id,
        sql`select from employees e where e.id = ${reporting_manager_id}::bigint and e.activity_status <> 'inactive'
              and e.deleted_at is null and ${visiblePeople(actor)} and e.id is distinct from ${id}::bigint
            union all ${kept('reporting_manager_id')}`,
      ),
    ];
  };
