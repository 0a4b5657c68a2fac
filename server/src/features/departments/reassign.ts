import { text } from '@tenure/contract';
import type { ResponsibilityKind } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { reachesDepartment, reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn, visibleDepartments } from '../../access/scope.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { among } from '../../people/dependents.ts';
import type { Duty, ListedDuty, Person, Reassignment, Selection } from '../../people/dependents.ts';
import { ownReason } from '../../languages/answer.ts';
import { cannotTakeOver } from '../../workflow/reassign.ts';
import { refuseHeadGains } from './gains.ts';
import { changeHeads } from './row-write.ts';

type Department = Person & { parent_id: number | null; manager_id: number | null; team_lead_id: number | null };

async function departmentsOf(db: Db, personId: number, only: Selection | undefined): Promise<Department[]> {
  return db
    .selectFrom('departments')
    .select(['id', 'entity_id', 'name', 'parent_id', 'manager_id', 'team_lead_id'])
    .where((eb) => eb.or([eb('manager_id', '=', personId), eb('team_lead_id', '=', personId)]))
    .where(among('id', only?.departments))
    .orderBy('id')
    .forUpdate()
    .execute();
}

const headFields = ['manager_id', 'team_lead_id'] as const;

/**
 * Makes the successor head of departments in place of the person: in the same company unless the actor covers both, and
 * in one place per department.
 */
async function reassignDepartments(ctx: WriteCtx, { from, to, gains, only }: Reassignment): Promise<number> {
  const { db, actor } = ctx;
  const departments = await departmentsOf(db, from.id, only);
  if (departments.length === 0) return 0;
  const reach = reachOf(actor, 'employees.deactivate');
  for (const department of departments) {
    const mine =
      reachesDepartment(reach, { ...department, department_id: department.id }) ||
      (reach.managed && actor.managed_departments.includes(department.id));
    const near = department.entity_id === to.entity_id || reachesEntity(reach, to.entity_id);
    if (!mine || !near || headFields.some((field) => department[field] === to.id))
      throw cannotTakeOver(
        mine
          ? text('responsibilities.cannot_take_department', { name: department.name })
          : text('responsibilities.departments_outside_scope'),
      );
  }
  const ids = departments.map(({ id }) => id);
  await changeHeads(db, { from: from.id, to: to.id, ids }, gains);
  await record(
    ctx,
    ...departments.map((department) => ({
      action: 'department.updated' as const,
      subject_id: department.id,
      subject_label: department.name,
      entity_id: department.entity_id,
      changes: { [department.manager_id === from.id ? 'manager_id' : 'team_lead_id']: { from: from.id, to: to.id } },
      reason: ownReason('reasons.handed_over'),
    })),
  );
  return ids.length;
}

const listed = (actor: Actor, kind: ResponsibilityKind, head: RawBuilder<unknown>, id: number): ListedDuty => ({
  kind,
  from: sql`departments d`,
  id: sql`d.id`,
  name: sql`d.name`,
  entity: sql`d.entity_id`,
  isSeen: visibleDepartments(actor),
  where: sql<SqlBool>`${head} = ${id} and ${departmentsIn(actor, reachOf(actor, 'employees.deactivate'))}`,
});

/** Departments with their heads. */
export const departmentsDuty: Duty = {
  listed: (actor, id) => [
    listed(actor, 'department_managed', sql`d.manager_id`, id),
    listed(actor, 'department_led', sql`d.team_lead_id`, id),
  ],
  async refuseGains({ db, actor }, { from, successorId, only }) {
    const departments = await departmentsOf(db, from.id, only);
    const successor = (head: number | null) => (head === from.id ? successorId : head);
    await refuseHeadGains(
      db,
      actor,
      departments.map(({ id, ...department }) => {
        const { manager_id, team_lead_id } = department;
        return {
          id,
          after: { ...department, manager_id: successor(manager_id), team_lead_id: successor(team_lead_id) },
        };
      }),
    );
  },
  reassign: reassignDepartments,
};
