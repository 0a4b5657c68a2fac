import type { Text } from '@tenure/contract';
import { consequences, departmentExportOrder, departments, text } from '@tenure/contract';
import { bind } from '../../http/context.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { departmentConsequences, findChangeable } from './consequences.ts';
import { departmentLookUps } from './look-ups.ts';
import { headPermissions } from './policy.ts';
import type { HeadField } from './policy.ts';
import { allDepartments, findDepartment, listDepartments, lockDepartment, readDepartment } from './queries.ts';
import type { DepartmentRecord } from './queries.ts';
import { lockTree } from './rules.ts';
import { createDepartment, deleteDepartment, setHead, updateDepartment } from './write.ts';

type Exported = Awaited<ReturnType<typeof allDepartments>>[number];

type Header = 'id' | Exclude<(typeof departmentExportOrder)[number], HeadName> | `${HeadName}_${'number' | 'name'}`;
type HeadName = 'manager' | 'team_lead';

const column = (
  header: Header,
  value: ExportColumn<Exported>['value'],
  read?: ExportColumn<Exported>['read'],
): ExportColumn<Exported> => ({ header, value, heading: text(`exports.headings.${header}`), ...(read && { read }) });

/** The columns of a field: number and name for a person, the name for other references. */
function columnsOf(name: (typeof departmentExportOrder)[number]): ExportColumn<Exported>[] {
  if (name === 'manager' || name === 'team_lead')
    return [
      column(`${name}_number`, (row) => row[name]?.employee_number ?? null),
      column(`${name}_name`, (row) => row[name]?.name ?? null),
    ];
  if (name === 'entity' || name === 'parent') return [column(name, (row) => row[name]?.name ?? null)];
  if (name === 'status')
    return [
      column(
        name,
        (row) => row.status,
        (row) => text(`exports.statuses.${row.status}`),
      ),
    ];
  return [column(name, (row) => row[name])];
}

const exported: ExportColumn<Exported>[] = [column('id', ({ id }) => id), ...departmentExportOrder.flatMap(columnsOf)];

type Changing = ReadCtx & { params: { id: number } };

const advice = (warnings: Text[]) => (warnings.length > 0 ? { warnings } : {});

const lockFor = (field: HeadField) => async (ctx: Changing) => {
  // the head of a department manages its descendants, so they are locked too
  await lockTree(ctx.db);
  return lockDepartment(ctx, ctx.params.id, headPermissions[field]);
};

async function assign(
  ctx: WriteCtx & { body: { employee_id: number; revision?: number | undefined } },
  department: DepartmentRecord,
  field: HeadField,
) {
  const warnings = await setHead(ctx, department, field, ctx.body);
  const data = await readDepartment(ctx, department.id);
  const message =
    field === 'manager_id' ? text('departments.manager_assigned') : text('departments.team_lead_assigned');
  return { ...done(data, message), ...advice(warnings) };
}

async function clear(ctx: WriteCtx, department: DepartmentRecord, field: HeadField): Promise<void> {
  await setHead(ctx, department, field, { employee_id: null });
}

export const departmentRoutes = [
  bind(departments.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listDepartments(ctx, ctx.query)),
  }),
  bind(departments.export, {
    handle: async (ctx) => {
      const rows = await allDepartments(ctx, ctx.query);
      return exportFile(ctx, { name: 'departments', columns: exported, rows, count: rows.length });
    },
  }),
  bind(departments.get, {
    find: (ctx) => findDepartment(ctx, ctx.params.id),
    handle: async (ctx) => read(await readDepartment(ctx, ctx.params.id)),
  }),
  bind(consequences.ofDepartment, {
    find: (ctx) => findChangeable(ctx, ctx.params.id),
    handle: async (ctx, department) => read(await departmentConsequences(ctx, department)),
  }),
  bind(departments.create, {
    lookUps: departmentLookUps('departments.create'),
    handle: async (ctx) => {
      const { id, warnings } = await createDepartment(ctx);
      return { ...done(await readDepartment(ctx, id), text('departments.department_created')), ...advice(warnings) };
    },
  }),
  bind(departments.update, {
    lookUps: departmentLookUps('departments.update'),
    find: async (ctx) => {
      // lock the tree before the row: a transaction that waits for the tree must not hold rows that another one needs
      await lockTree(ctx.db);
      return lockDepartment(ctx, ctx.params.id, 'departments.update');
    },
    handle: async (ctx, department) => {
      const warnings = await updateDepartment(ctx, department);
      const data = await readDepartment(ctx, department.id);
      return { ...done(data, text('departments.department_updated')), ...advice(warnings) };
    },
  }),
  bind(departments.delete, {
    find: (ctx) => lockDepartment(ctx, ctx.params.id, 'departments.delete'),
    handle: deleteDepartment,
  }),
  bind(departments.assignManager, {
    find: lockFor('manager_id'),
    handle: (ctx, department) => assign(ctx, department, 'manager_id'),
  }),
  bind(departments.clearManager, {
    find: lockFor('manager_id'),
    handle: (ctx, department) => clear(ctx, department, 'manager_id'),
  }),
  bind(departments.assignTeamLead, {
    find: lockFor('team_lead_id'),
    handle: (ctx, department) => assign(ctx, department, 'team_lead_id'),
  }),
  bind(departments.clearTeamLead, {
    find: lockFor('team_lead_id'),
    handle: (ctx, department) => clear(ctx, department, 'team_lead_id'),
  }),
];
