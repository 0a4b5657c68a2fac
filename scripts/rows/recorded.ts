import { fileURLToPath } from 'node:url';

/** Where `npm test` records the results of statements. */
export const recorded = process.env.ROWS_FOLDER ?? fileURLToPath(new URL('../../test-results/rows', import.meta.url));

const ofColumns = 'has a type parameter; the columns it is given say their row themselves, and are checked';

/** Files below `server/src` with a cast that no recording can show, with the reason. */
export const uncheckable: Readonly<Record<string, string>> = {
  'db/lists.ts': 'has a type parameter; the statement of the rows is checked',
  'features/actionable-items/allowed.ts': ofColumns,
  'workflow/bulk-transitions.ts': ofColumns,
  'workflow/reassign.ts': ofColumns,
  'workflow/row.ts': ofColumns,
  'workflow/step.ts': ofColumns,
  'workflow/history.ts': 'has a type parameter: the states of a workflow and the content of its snapshots',
};
