import { parse } from 'libpg-query';
import { classOf, listMigrations, readMigration } from '../server/src/db/migration-files.ts';
import type { MigrationClass } from '../server/src/db/migration-files.ts';

/**
 * What a migration may do while the previous release serves, as CONTRIBUTING.md describes. An expand migration adds and
 * holds no lock for long; slow work is online; removals are contracts.
 */

/** The last migration from before releases ran side by side. */
const lastExempt = '20261126_1625_chain_at_once.sql';

/** Tables that stay small in any installation, so that an index on them is built quickly. */
const smallTables = new Set(['brands', 'entities', 'installation', 'kpi_cycles', 'processes', 'roles', 'web_releases']);

/** A node of the parser: an object with one property, which names its kind. */
type Node = Readonly<Record<string, unknown>>;
type Statement = { kind: string; node: Node };
type Found = string | undefined;

const entry = (wrapped: unknown): Statement => {
  const [[kind, node] = ['', {}]] = Object.entries((wrapped ?? {}) as Record<string, Node>);
  return { kind, node };
};
const listOf = (value: unknown): Statement[] => ((value ?? []) as unknown[]).map(entry);
const textOf = (value: unknown, otherwise = '') => (typeof value === 'string' ? value : otherwise);
const relationOf = ({ relation }: Node) => textOf((relation as Node | undefined)?.['relname']);

/** Functions with the same value for all rows of a statement, so that it is stored only once. */
const stable = new Set(['date_trunc', 'make_interval', 'now', 'statement_timestamp', 'transaction_timestamp']);

/** Functions that an expression calls. */
function callsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const deeper = callsIn(inner);
    if (key !== 'FuncCall') return deeper;
    const names = listOf((inner as Node)['funcname']);
    return [textOf(names.at(-1)?.node['sval'], '?'), ...deeper];
  });
}

type Constraint = { type: string; node: Node };
const constraintsOf = (column: Node): Constraint[] =>
  listOf(column['constraints']).map(({ node }) => ({ type: textOf(node['contype']), node }));

/** A column added to a table that already has rows. */
function addedColumn(column: Node): Found {
  const name = textOf(column['colname']);
  const constraints = constraintsOf(column);
  const has = (...types: string[]) => constraints.some(({ type }) => types.includes(type.slice('CONSTR_'.length)));
  const defaultOf = constraints.find(({ type }) => type === 'CONSTR_DEFAULT')?.node['raw_expr'];
  const volatile = callsIn(defaultOf).find((call) => !stable.has(call));
  if (has('IDENTITY', 'GENERATED')) return `adds the computed column ${name}, which writes every row anew`;
  if (volatile) return `adds the column ${name} with the volatile default ${volatile}(), which writes every row anew`;
  if (has('PRIMARY', 'UNIQUE')) return `adds the column ${name} with an index`;
  if (has('NOTNULL') && defaultOf === undefined)
    return `adds the column ${name} not null without a constant default: the release before leaves it out`;
  if (has('CHECK')) return `adds the column ${name} with a check: add it as a constraint, not valid`;
  if (has('FOREIGN') && defaultOf !== undefined) return `adds the column ${name} with a default and a foreign key`;
  return undefined;
}

function addedConstraint(constraint: Node): Found {
  const type = textOf(constraint['contype']);
  const name = textOf(constraint['conname'], 'without a name');
  if (type === 'CONSTR_CHECK' || type === 'CONSTR_FOREIGN')
    return constraint['skip_validation'] ? undefined : `adds the constraint ${name} without "not valid"`;
  if (type === 'CONSTR_NOTNULL') return `makes a column not null`;
  return constraint['indexname'] ? undefined : `adds the constraint ${name} with an index that is built meanwhile`;
}

const forbiddenCommands: Readonly<Record<string, string>> = {
  AT_AlterColumnType: 'changes the type of',
  AT_DropColumn: 'drops',
  AT_DropConstraint: 'drops the constraint',
  AT_DropExpression: 'drops the expression of',
  AT_DropIdentity: 'drops the identity of',
  AT_SetNotNull: 'makes not null',
  AT_ValidateConstraint: 'validates the constraint',
};
/** What an online step may do, because it holds no other lock meanwhile. */
const onlineCommands = new Set(['AT_SetNotNull', 'AT_ValidateConstraint']);

function alteredTable({ node }: Statement, of: MigrationClass): Found {
  const table = relationOf(node);
  const found = listOf(node['cmds']).map(({ node: command }): Found => {
    const subtype = textOf(command['subtype']);
    if (of === 'online' && onlineCommands.has(subtype)) return undefined;
    const verb = forbiddenCommands[subtype];
    if (verb) return `${verb} ${textOf(command['name'])}`;
    const { kind, node: def } = entry(command['def']);
    if (subtype === 'AT_AddColumn' && kind === 'ColumnDef') return addedColumn(def);
    if (subtype === 'AT_AddConstraint' && kind === 'Constraint' && !smallTables.has(table)) return addedConstraint(def);
    return undefined;
  });
  const first = found.find((problem) => problem !== undefined);
  return first && `${table}: ${first}`;
}

function builtIndex({ node }: Statement, of: MigrationClass): Found {
  const name = textOf(node['idxname'], 'without a name');
  if (of !== 'online' && node['concurrent']) return `builds the index ${name} concurrently, which no transaction can`;
  if (of === 'online')
    return node['concurrent'] && node['if_not_exists']
      ? undefined
      : `builds the index ${name} without "concurrently if not exists"`;
  return smallTables.has(relationOf(node))
    ? undefined
    : `${relationOf(node)}: builds the index ${name}, during which nothing is written: do it in a file .online.sql`;
}

const hidden = /\b(drop|rename|truncate|alter\s+column\s+\w+\s+(set\s+data\s+)?type|set\s+not\s+null)\b/i;

/** A block of code may hide what it does, so its words are searched. */
function block({ node }: Statement): Found {
  const body = listOf(node['args'])
    .map(({ node: argument }) => entry(argument['arg']).node['sval'])
    .join('\n');
  const found = hidden.exec(body)?.[0];
  return found && `has a block of code that says "${found}"`;
}

const removals: Readonly<Record<string, string>> = {
  AlterObjectSchemaStmt: 'moves something to another schema',
  DropOwnedStmt: 'drops something',
  DropStmt: 'drops something',
  RenameStmt: 'renames something',
  TruncateStmt: 'empties a table',
};

function problemOf(statement: Statement, of: MigrationClass, created: ReadonlySet<string>): Found {
  const { kind, node } = statement;
  if (removals[kind]) return removals[kind];
  if (kind === 'DoStmt') return block(statement);
  // no other release knows a table that is created here
  if (created.has(relationOf(node))) return undefined;
  if (kind === 'AlterTableStmt') return alteredTable(statement, of);
  return kind === 'IndexStmt' ? builtIndex(statement, of) : undefined;
}

/** Migrations up to this day may have an impossible minute in their name; their names stay. */
const lastOdd = '20261128';

const namePattern = /^(\d{8})_(\d{4})_[a-z0-9_]+(\.online|\.contract)?\.sql$/;

/** A name starts with a day and a time of day. */
function isName(name: string): boolean {
  const [, day = '', time = ''] = namePattern.exec(name) ?? [];
  if (day === '' || day <= lastOdd) return day !== '';
  try {
    Temporal.PlainDateTime.from(`${day}T${time}`);
    return true;
  } catch {
    return false;
  }
}

/** Why this migration may not run while the previous release serves. */
export async function problemsOf(name: string, text: string): Promise<string[]> {
  if (!isName(name)) return [`${name}: is named YYYYMMDD_HHMM_<what>.sql, .online.sql or .contract.sql`];
  const of = classOf(name);
  const statements = listOf(((await parse(text)).stmts ?? []).map(({ stmt }) => stmt));
  const concurrent = statements.some(({ node }) => node['concurrent']);
  if (of === 'contract')
    return concurrent ? [`${name}: a contract runs in a transaction, where nothing is done concurrently`] : [];
  const created = new Set(statements.filter(({ kind }) => kind === 'CreateStmt').map(({ node }) => relationOf(node)));
  return statements.flatMap((statement) => {
    const problem = problemOf(statement, of, created);
    return problem ? [`${name}: ${problem}`] : [];
  });
}

/** Migrations to check: earlier ones were written for a stopped service. */
export const isChecked = (name: string) => name > lastExempt;

if (import.meta.main) {
  const found: string[] = [];
  for (const name of (await listMigrations()).filter(isChecked))
    found.push(...(await problemsOf(name, await readMigration(name))));
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
