import * as z from 'zod';
import { endpoint, forPeople } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { boolean, revision } from './fields.ts';
import { tables } from './files.ts';
import { importCorrections } from './import-corrections.ts';
import { headerRow, Import, importBodies, importQueries, ImportRow, peopleSettings, StagedRow } from './imports.ts';

const path = '/employees/imports/:id';
const permission = 'employees.import';
const reply = item(Import);

export const employeeImports = forPeople({
  sample: endpoint({
    method: 'GET',
    path: '/employees/import/sample',
    summary: 'A sample file',
    permission,
    scope: 'none',
    query: importQueries.sample,
    file: tables,
    status: 200,
  }),
  create: endpoint({
    method: 'POST',
    path: '/employees/import',
    summary: 'Upload a file of people',
    permission,
    scope: 'scoped',
    upload: 'import',
    budget: 'import',
    body: z.object({ dry_run: boolean().optional(), ...headerRow, ...peopleSettings }),
    reply,
    status: 201,
  }),
  list: endpoint({
    method: 'GET',
    path: '/employees/imports',
    summary: 'List imports',
    permission,
    scope: 'scoped',
    query: importQueries.list,
    reply: page(ImportRow),
    status: 200,
  }),
  get: endpoint({ method: 'GET', path, summary: 'Read an import', permission, scope: 'scoped', reply, status: 200 }),
  update: endpoint({
    method: 'PUT',
    path,
    summary: 'Change mapping and settings and check again',
    permission,
    scope: 'scoped',
    body: z.object({ ...peopleSettings, ...revision }),
    reply,
    status: 200,
  }),
  delete: endpoint({ method: 'DELETE', path, summary: 'Discard an import', permission, scope: 'scoped', status: 204 }),
  rows: endpoint({
    method: 'GET',
    path: `${path}/rows`,
    summary: 'List the rows of an import',
    permission,
    scope: 'scoped',
    query: importQueries.rows,
    reply: page(StagedRow),
    status: 200,
  }),
  fixRow: endpoint({
    method: 'PUT',
    path: `${path}/rows/:row`,
    summary: 'Correct cells of a row, or leave it out',
    permission,
    scope: 'scoped',
    body: importBodies.fixRow,
    reply: item(StagedRow),
    status: 200,
  }),
  errors: endpoint({
    method: 'GET',
    path: `${path}/errors.csv`,
    summary: 'The failed rows as a file',
    permission,
    scope: 'scoped',
    file: ['csv'],
    status: 200,
  }),
  commit: endpoint({
    method: 'POST',
    path: `${path}/commit`,
    summary: 'Write the checked rows',
    permission,
    scope: 'scoped',
    // they may have roles
    step_up: true,
    body: importBodies.commit,
    reply,
    status: 200,
  }),
  undo: endpoint({
    method: 'POST',
    path: `${path}/undo`,
    summary: 'Undo a completed import, as far as its rows allow it',
    permission,
    scope: 'scoped',
    step_up: true,
    reply,
    status: 200,
  }),
});

/** Corrections of several rows of an import at once. */
export const employeeImportCorrections = forPeople({
  problems: endpoint({
    method: 'GET',
    path: `${path}/problems`,
    summary: 'The errors that rows of an import share',
    permission,
    scope: 'scoped',
    reply: importCorrections.problems,
    status: 200,
  }),
  values: endpoint({
    method: 'GET',
    path: `${path}/values`,
    summary: 'The texts of the columns with fixed choices, and what they are read as',
    permission,
    scope: 'scoped',
    reply: importCorrections.values,
    status: 200,
  }),
  replace: endpoint({
    method: 'POST',
    path: `${path}/replacements`,
    summary: 'Replace a value in all rows where it is an error',
    permission,
    scope: 'scoped',
    body: importCorrections.replace,
    reply: importCorrections.replaced,
    status: 200,
  }),
  undoReplacement: endpoint({
    method: 'DELETE',
    path: `${path}/replacements/:replacement`,
    summary: 'Undo a replacement, except in rows corrected since',
    permission,
    scope: 'scoped',
    status: 204,
  }),
});
