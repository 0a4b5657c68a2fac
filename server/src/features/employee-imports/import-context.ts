import type { ImportField } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { fieldsFor } from '../../people/policy.ts';
import { loadRoles } from '../../access/given-roles.ts';
import type { Role } from '../../access/given-roles.ts';
import type { RuleManager } from '../../people/rules.ts';
import { layoutOf } from '../../imports/columns.ts';
import type { Layout } from '../../imports/columns.ts';
import type { FileKeys } from './file-keys.ts';
import { findManagers } from './managers.ts';
import type { Managers } from './managers.ts';
import type { Account, Person } from './people.ts';
import { loadOrganisation } from './organisation.ts';
import type { Organisation } from './organisation.ts';
import type { ImportRecord, StagedCells } from '../../imports/record.ts';
import { valueReader } from '../../imports/values.ts';
import { choices } from './choices.ts';
import { rowsWithSharedNames } from './shared-names.ts';

/** All data that the check of a row reads, except the people of the rows. */
export type ImportContext = {
  actor: Actor;
  record: ImportRecord;
  layout: Layout<ImportField>;
  /** Replaces the texts of a row by their matches. */
  readRow: <Row extends StagedCells>(row: Row) => Row;
  keys: FileKeys;
  organisation: Organisation;
  managers: Managers;
  /** Managers by id; for a new person, the negative row number. */
  ruleManagers: Map<number, RuleManager>;
  roles: readonly Role[];
  /** Rows whose display name would equal that of another row. */
  sharedNames: ReadonlySet<number>;
  groupsOf: ReturnType<typeof fieldsFor>;
  today: string;
};

/** The people of the rows. */
export type Known = { people: ReadonlyMap<string, Person>; accounts: ReadonlyMap<string, Account> };

async function databaseDay(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`select current_date as today`.execute(db);
  return (rows[0] as { today: string }).today;
}

/** Reads the records that rows of an import can refer to, in the importer's scope. `refs` are their managers. */
export async function loadImportContext(
  db: Db,
  { actor, record, keys, refs }: { actor: Actor; record: ImportRecord; keys: FileKeys; refs: readonly string[] },
): Promise<ImportContext> {
  const managers = await findManagers(db, actor, { refs, keys });
  const known = [
    ...managers.byKey.values(),
    ...[...managers.byName.values()].flat().map(({ id }) => ({ id, is_employed: true })),
  ];
  const layout = layoutOf<ImportField>(record.columns);
  return {
    actor,
    record,
    keys,
    managers,
    ruleManagers: new Map(known.map((one) => [one.id, one])),
    layout,
    readRow: valueReader({ choices }, record).readRow,
    sharedNames: await rowsWithSharedNames(db, record, layout),
    organisation: await loadOrganisation(db, actor, record),
    roles: await loadRoles(db),
    groupsOf: fieldsFor(actor),
    today: await databaseDay(db),
  };
}
