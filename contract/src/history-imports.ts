import * as z from 'zod';
import { employeeRows } from './employee-rows.ts';
import { endpoint, forPeople } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { boolean, revision } from './fields.ts';
import { tables } from './files.ts';
import { importCorrections } from './import-corrections.ts';
import { headerRow, Import, importBodies, importQueries, ImportRow, peopleSettings, StagedRow } from './imports.ts';

/** The fields for columns in a file of former jobs, with their alternative headings; each row is a job. */
export const historyImportFields = {
  employee_number: employeeRows.employee_number.importAs,
  effective_from: ['from', 'start', 'start date', 'valid from', 'von', 'ab', 'beginn', 'gültig ab'],
  effective_to: ['to', 'until', 'end', 'end date', 'valid to', 'bis', 'ende', 'gültig bis'],
  job_title: ['title', 'job', 'position', 'stelle', 'titel'],
  entity_id: [],
  entity: ['company', 'unternehmen', 'firma'],
  department_id: [],
  department: ['dept', 'abteilung'],
  reporting_manager: [
    'manager',
    'manager no',
    'reports to',
    'supervisor',
    'vorgesetzte',
    'vorgesetzter',
    'führungskraft',
  ],
  grade: employeeRows.grade.importAs,
  employment_type: employeeRows.employment_type.importAs,
  employment_lifecycle: employeeRows.employment_lifecycle.importAs,
} as const satisfies Record<string, readonly string[]>;
export type HistoryImportField = keyof typeof historyImportFields;

export const requiredHistoryFields = [
  'employee_number',
  'effective_from',
] as const satisfies readonly HistoryImportField[];

const path = '/job-history/imports/:id';
const reply = item(Import);
const permission = 'employees.import';
const scoped = { permission, scope: 'scoped', status: 200 } as const;
const { mode, mapping, defaults, values, date_format } = peopleSettings;
const settings = { mode, mapping, defaults, values, date_format };

export const historyImports = forPeople({
  sample: endpoint({
    method: 'GET',
    path: '/job-history/import/sample',
    summary: 'A sample file of former jobs',
    permission,
    scope: 'none',
    query: importQueries.sample,
    file: tables,
    status: 200,
  }),
  create: endpoint({
    ...scoped,
    method: 'POST',
    path: '/job-history/import',
    summary: 'Upload a file of former jobs',
    upload: 'import',
    budget: 'import',
    body: z.object({ dry_run: boolean().optional(), ...headerRow, ...settings }),
    reply,
    status: 201,
  }),
  list: endpoint({
    ...scoped,
    method: 'GET',
    path: '/job-history/imports',
    summary: 'List imports of former jobs',
    query: importQueries.list,
    reply: page(ImportRow),
  }),
  get: endpoint({ ...scoped, method: 'GET', path, summary: 'Read an import of former jobs', reply }),
  update: endpoint({
    ...scoped,
    method: 'PUT',
    path,
    summary: 'Change mapping and settings and check the jobs again',
    body: z.object({ ...settings, ...revision }),
    reply,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Discard an import of former jobs',
    permission,
    scope: 'scoped',
    status: 204,
  }),
  rows: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/rows`,
    summary: 'List the rows of an import of former jobs',
    query: importQueries.rows,
    reply: page(StagedRow),
  }),
  fixRow: endpoint({
    ...scoped,
    method: 'PUT',
    path: `${path}/rows/:row`,
    summary: 'Correct cells of a row, or leave it out; the jobs of its person are checked again',
    body: importBodies.fixRow,
    reply: item(StagedRow),
  }),
  errors: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/errors.csv`,
    summary: 'The failed rows of former jobs as a file',
    file: ['csv'],
  }),
  commit: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/commit`,
    summary: 'Write the checked jobs',
    body: importBodies.commit,
    reply,
  }),
  undo: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/undo`,
    summary: 'Undo a completed import of former jobs, person by person',
    reply,
  }),
});

/** Corrections of several rows of an import of former jobs at once. */
export const historyImportCorrections = forPeople({
  problems: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/problems`,
    summary: 'The errors that rows of an import of former jobs share',
    reply: importCorrections.problems,
  }),
  values: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/values`,
    summary: 'The texts of the columns with fixed choices of former jobs, and what they are read as',
    reply: importCorrections.values,
  }),
  replace: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/replacements`,
    summary: 'Replace a value in all rows of former jobs where it is an error',
    body: importCorrections.replace,
    reply: importCorrections.replaced,
  }),
  undoReplacement: endpoint({
    method: 'DELETE',
    path: `${path}/replacements/:replacement`,
    summary: 'Undo a replacement in rows of former jobs, except in rows corrected since',
    permission,
    scope: 'scoped',
    status: 204,
  }),
});
