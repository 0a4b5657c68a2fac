import * as z from 'zod';
import { attachmentCategories, attachmentVisibilities } from './attachments.ts';
import { employeeRows } from './employee-rows.ts';
import { endpoint, forPeople } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { boolean, revision } from './fields.ts';
import { importCorrections } from './import-corrections.ts';
import { Import, importBodies, importQueries, ImportRow, importSettings, StagedRow } from './imports.ts';

/**
 * The fields of a file in a ZIP archive. Number and title come from its path, category and visibility from the settings
 * of the archive; `file` and `size` cannot be corrected.
 */
export const attachmentImportFields = {
  employee_number: employeeRows.employee_number.importAs,
  title: [],
  category: [],
  visibility: [],
  file: [],
  size: [],
} as const satisfies Record<string, readonly string[]>;
export type AttachmentImportField = keyof typeof attachmentImportFields;

/** The fields of a staged file with fixed choices. */
export const attachmentImportChoices = {
  category: attachmentCategories,
  visibility: attachmentVisibilities,
} as const;

const path = '/attachments/imports/:id';
const reply = item(Import);
const permission = 'employees.update';
const scoped = { permission, scope: 'scoped', status: 200 } as const;
const { mode, defaults } = importSettings;
const settings = { mode, defaults };

export const attachmentImports = forPeople({
  sample: endpoint({
    method: 'GET',
    path: '/attachments/import/sample',
    summary: 'A sample archive of files of people',
    permission,
    scope: 'none',
    file: ['zip'],
    status: 200,
  }),
  create: endpoint({
    ...scoped,
    method: 'POST',
    path: '/attachments/import',
    summary: 'Upload a ZIP archive of files of people',
    upload: 'attachment_import',
    budget: 'import',
    body: z.object({ dry_run: boolean().optional(), ...settings }),
    reply,
    status: 201,
  }),
  list: endpoint({
    ...scoped,
    method: 'GET',
    path: '/attachments/imports',
    summary: 'List imports of files of people',
    query: importQueries.list,
    reply: page(ImportRow),
  }),
  get: endpoint({ ...scoped, method: 'GET', path, summary: 'Read an import of files of people', reply }),
  update: endpoint({
    ...scoped,
    method: 'PUT',
    path,
    summary: 'Change category and visibility of all files and check them again',
    body: z.object({ ...settings, ...revision }),
    reply,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Discard an import of files of people',
    permission,
    scope: 'scoped',
    status: 204,
  }),
  rows: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/rows`,
    summary: 'List the files of an import',
    query: importQueries.rows,
    reply: page(StagedRow),
  }),
  fixRow: endpoint({
    ...scoped,
    method: 'PUT',
    path: `${path}/rows/:row`,
    summary: 'Correct number, title, category or visibility of a staged file, or leave it out',
    body: importBodies.fixRow,
    reply: item(StagedRow),
  }),
  errors: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/errors.csv`,
    summary: 'The refused files of an import as a table',
    file: ['csv'],
  }),
  commit: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/commit`,
    summary: 'Add the checked files to their people',
    body: importBodies.commit,
    reply,
  }),
  undo: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/undo`,
    summary: 'Delete the files that an import added, as far as they are unchanged',
    reply,
  }),
});

/** Corrections of several staged files at once. */
export const attachmentImportCorrections = forPeople({
  problems: endpoint({
    ...scoped,
    method: 'GET',
    path: `${path}/problems`,
    summary: 'The errors that staged files share',
    reply: importCorrections.problems,
  }),
  replace: endpoint({
    ...scoped,
    method: 'POST',
    path: `${path}/replacements`,
    summary: 'Replace a value of all staged files where it is an error',
    body: importCorrections.replace,
    reply: importCorrections.replaced,
  }),
  undoReplacement: endpoint({
    method: 'DELETE',
    path: `${path}/replacements/:replacement`,
    summary: 'Undo a replacement in staged files, except in those corrected since',
    permission,
    scope: 'scoped',
    status: 204,
  }),
});
