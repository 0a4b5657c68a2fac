import * as z from 'zod';
import { forPeople } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { item, page } from './envelope.ts';
import { boolean, revision } from './fields.ts';
import { tables } from './files.ts';
import { importCorrections } from './import-corrections.ts';
import { headerRow, Import, importBodies, importQueries, ImportRow, sheetSettings, StagedRow } from './imports.ts';
import type { Permission } from './permissions.ts';

/** Preserves the types of a declaration; `endpoint` cannot infer them for a path that is not known yet. */
const exactly = <const T extends Omit<Endpoint, 'path' | 'upload' | 'permission'>>(declaration: T): T => declaration;

type Of<P extends `/${string}`, N extends Permission, U> = {
  /** The path of the records, such as `/former-results`. */
  base: P;
  /** The name of the records in summaries. */
  what: string;
  permission: N;
  upload: U;
};

/** Endpoints for the file of an import and how it is read. */
function ofFile<
  const P extends `/${string}`,
  const N extends Permission,
  const U extends NonNullable<Endpoint['upload']>,
>({ base, what, permission, upload }: Of<P, N, U>) {
  const path = `${base}/imports/:id` as const;
  const scoped = { permission, scope: 'scoped', status: 200 } as const;
  const reply = item(Import);
  return {
    sample: exactly({
      method: 'GET',
      path: `${base}/import/sample` as const,
      summary: `A sample file of ${what}`,
      permission,
      scope: 'none',
      query: importQueries.sample,
      file: tables,
      status: 200,
    }),
    create: exactly({
      ...scoped,
      method: 'POST',
      path: `${base}/import` as const,
      summary: `Upload a file of ${what}`,
      upload,
      budget: 'import',
      body: z.object({ dry_run: boolean().optional(), ...headerRow, ...sheetSettings }),
      reply,
      status: 201,
    }),
    list: exactly({
      ...scoped,
      method: 'GET',
      path: `${base}/imports` as const,
      summary: `List imports of ${what}`,
      query: importQueries.list,
      reply: page(ImportRow),
    }),
    get: exactly({ ...scoped, method: 'GET', path, summary: `Read an import of ${what}`, reply }),
  };
}

/** Endpoints for checking, writing and undoing an import. */
function ofImport<const P extends `/${string}`, const N extends Permission>({
  base,
  what,
  permission,
}: Omit<Of<P, N, unknown>, 'upload'>) {
  const path = `${base}/imports/:id` as const;
  const scoped = { permission, scope: 'scoped', status: 200 } as const;
  const reply = item(Import);
  return {
    update: exactly({
      ...scoped,
      method: 'PUT',
      path,
      summary: `Change mapping and settings of an import of ${what} and check again`,
      body: z.object({ ...sheetSettings, ...revision }),
      reply,
    }),
    delete: exactly({
      method: 'DELETE',
      path,
      summary: `Discard an import of ${what}`,
      permission,
      scope: 'scoped',
      status: 204,
    }),
    commit: exactly({
      ...scoped,
      method: 'POST',
      path: `${path}/commit` as const,
      summary: `Write the checked ${what}`,
      body: importBodies.commit,
      reply,
    }),
    undo: exactly({
      ...scoped,
      method: 'POST',
      path: `${path}/undo` as const,
      summary: `Undo a completed import of ${what}, as far as its rows allow it`,
      reply,
    }),
  };
}

/** Endpoints for the rows of an import. */
function ofRows<const P extends `/${string}`, const N extends Permission>({
  base,
  what,
  permission,
}: Omit<Of<P, N, unknown>, 'upload'>) {
  const path = `${base}/imports/:id` as const;
  const scoped = { permission, scope: 'scoped', status: 200 } as const;

  return {
    rows: exactly({
      ...scoped,
      method: 'GET',
      path: `${path}/rows` as const,
      summary: `List the rows of an import of ${what}`,
      query: importQueries.rows,
      reply: page(StagedRow),
    }),
    fixRow: exactly({
      ...scoped,
      method: 'PUT',
      path: `${path}/rows/:row` as const,
      summary: `Correct cells of a row of ${what}, or leave it out`,
      body: importBodies.fixRow,
      reply: item(StagedRow),
    }),
    errors: exactly({
      ...scoped,
      method: 'GET',
      path: `${path}/errors.csv` as const,
      summary: `The failed rows of ${what} as a file`,
      file: ['csv'],
    }),
  };
}

/** Endpoints for correcting several rows at once. */
function ofCorrections<const P extends `/${string}`, const N extends Permission>({
  base,
  what,
  permission,
}: Omit<Of<P, N, unknown>, 'upload'>) {
  const path = `${base}/imports/:id` as const;
  const scoped = { permission, scope: 'scoped', status: 200 } as const;

  return {
    problems: exactly({
      ...scoped,
      method: 'GET',
      path: `${path}/problems` as const,
      summary: `The errors that rows of an import of ${what} share`,
      reply: importCorrections.problems,
    }),
    values: exactly({
      ...scoped,
      method: 'GET',
      path: `${path}/values` as const,
      summary: `The texts of the columns of ${what} with fixed choices, and what they are read as`,
      reply: importCorrections.values,
    }),
    replace: exactly({
      ...scoped,
      method: 'POST',
      path: `${path}/replacements` as const,
      summary: `Replace a value in all rows of ${what} where it is an error`,
      body: importCorrections.replace,
      reply: importCorrections.replaced,
    }),
    undoReplacement: exactly({
      method: 'DELETE',
      path: `${path}/replacements/:replacement` as const,
      summary: `Undo a replacement in rows of ${what}, except in rows corrected since`,
      permission,
      scope: 'scoped',
      status: 204,
    }),
  };
}

/** The endpoints of a staged import of a table, including value matching and undo. */
export const tableImport = <
  const P extends `/${string}`,
  const N extends Permission,
  const U extends NonNullable<Endpoint['upload']>,
>(
  of: Of<P, N, U>,
) => forPeople({ ...ofFile(of), ...ofImport(of), ...ofRows(of), ...ofCorrections(of) });
