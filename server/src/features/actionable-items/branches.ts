import type { ActionableKind, actionableItems, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { deputisedBy, deputyOf } from '../../access/absences.ts';
import type { Actor } from '../../access/actor.ts';
import { either } from '../../access/scope.ts';
import { fold } from '../../db/fold.ts';
import { every, wordsOf } from '../../db/lists.ts';
import type { LanguageId } from '../../languages/catalogue.ts';
import type { Kind } from './kind.ts';
import { companiesIn, coversGlobal, hasCompanies } from './pool.ts';
import type { Share, Shares } from './pool.ts';
import { wordsAround } from './texts.ts';
import { endedEvaluations } from '../../workflow/open.ts';

type Condition = RawBuilder<SqlBool>;

/** Tasks of one kind for the reader. Branches do not share rows. */
export type Branch = {
  kind: Kind;
  where: Condition;
  /** Restricts the companies, each queried separately so that an index returns their rows in order. */
  companies?: Condition;
  /** The rows in the status of the kind that the branch excludes; if undefined, the branch has no stored count. */
  left_out?: Condition | undefined;
  /** The absent person on whose behalf the reader acts. */
  acting_for?: RawBuilder<unknown>;
};

const n = sql`n.id`;

const companies = sql`companies as n`;
/** The companies with their current local day, computed once, and a row for cycles without a company. */
const withCompanies = sql`companies as materialized (
  select id, timezone, (now() at time zone timezone)::date as today, probation_lead_days from entities
  union all select null, 'UTC', (now() at time zone 'UTC')::date, null)`;

// a cycle may have no company; providers, accounts, tokens and webhooks do not belong to a single one
const ofSeveral: readonly Kind['subject'][] = [
  'kpi_cycle',
  'identity_provider',
  'service_account',
  'token',
  'recovery_codes',
  'emergency_account',
  'webhook',
  'chat_target',
];
const ofCompany = ({ columns, subject }: Kind) =>
  ofSeveral.includes(subject)
    ? sql<SqlBool>`${columns.entity} is not distinct from n.id`
    : sql<SqlBool>`${columns.entity} = n.id`;

/** The cycles of a pool that an actor sees: those of companies, and those without one. */
const cyclesOf = (share: Share, entity: RawBuilder<unknown>): Condition =>
  coversGlobal(share) ? sql<SqlBool>`(${entity} is null or ${companiesIn(share, entity)})` : companiesIn(share, entity);

type Wanted = { where: Condition[]; inOrder: boolean; left_out: Condition | undefined };

function branchesOfShare(kind: Kind, share: Share, { where, inOrder, left_out }: Wanted): Branch[] {
  const { entity } = kind.columns;
  if (kind.subject === 'kpi_cycle') return [{ kind, where: every([...where, cyclesOf(share, entity)]) }];
  const kept = share.except ? [...where, sql<SqlBool>`not ${share.except(kind.columns)}`] : where;
  const whole: Branch[] = !hasCompanies(share)
    ? []
    : inOrder
      ? [
          {
            kind,
            where: every(kept),
            companies: companiesIn(share, n),
            left_out: share.except ? undefined : left_out,
          },
        ]
      : [{ kind, where: every([...kept, companiesIn(share, entity)]) }];
  const rows = share.rows?.(kind.columns);
  if (!rows) return whole;
  const outside = sql<SqlBool>`not ${companiesIn(share, entity)}`;
  return [...whole, { kind, where: every([...kept, outside, rows]) }];
}

/** One branch for all parts of the pool: a subject with people in several parts is one task. */
function branchOfDeciders(actor: Actor, kind: Kind, shares: readonly Share[]): Branch[] {
  if (!('of' in kind.assignee)) return [];
  const where = kind.assignee.of(actor, (entity) => either(shares.map((share) => companiesIn(share, entity))));
  return [{ kind, where: every([kind.while, where]) }];
}

/** The branches of a kind with tasks of the actor. */
export function branchesOf(actor: Actor, kind: Kind, shares: Shares): Branch[] {
  const { assignee, columns } = kind;
  if ('of' in assignee) return branchOfDeciders(actor, kind, shares.get(assignee.pool) ?? []);
  const me = actor.employee_id;
  const mine = 'person' in assignee && me !== null ? [sql<SqlBool>`${assignee.person} = ${me}`] : [];
  const waits = [kind.while, ...(kind.while_for ? [kind.while_for(actor)] : [])];
  // tasks that a deputy does now are not tasks of the absent person
  const kept = [
    ...(kind.deputy ? [sql<SqlBool>`${deputyOf('v', kind.deputy)} is null`] : []),
    ...(kind.while_own ? [kind.while_own] : []),
  ];
  const covered: Branch[] =
    kind.deputy && me !== null
      ? [{ kind, where: every([...waits, deputisedBy(me, 'v', kind.deputy)]), acting_for: sql`v.reviewer_id` }]
      : [];
  const own: Branch[] = [
    ...mine.map((condition) => ({ kind, where: every([...waits, condition, ...kept]) })),
    ...covered,
  ];
  if (!('pool' in assignee)) return own;
  const byOthers = [
    ...(me === null || kind.subject === 'kpi_cycle' ? [] : [sql<SqlBool>`${columns.employee} <> ${me}`]),
    ...(kind.not_by?.(actor) ?? []),
    ...(assignee.person ? [sql<SqlBool>`${assignee.person} is null`] : []),
  ];
  const others = [...waits, ...byOthers];
  const { by_company = false, by_admins } = assignee;
  const ofAll = by_admins ? [...others, sql<SqlBool>`not ${by_admins}`] : others;
  const left_out = kind.status ? sql<SqlBool>`not ${every(byOthers)}` : undefined;
  const ofShare = (share: Share) => branchesOfShare(kind, share, { where: ofAll, inOrder: by_company, left_out });
  const ofAdmins = by_admins && actor.is_admin ? [{ kind, where: every([...others, by_admins]) }] : [];
  return [...own, ...ofAdmins, ...(shares.get(assignee.pool) ?? []).flatMap(ofShare)];
}

type Filters = Pick<QueryOut<typeof actionableItems.list>, 'kind' | 'priority' | 'due_before' | 'search'>;

const soon = 3;
const byPriority = (due: RawBuilder<unknown>) => ({
  overdue: sql<SqlBool>`${due} < n.today`,
  due_soon: sql<SqlBool>`${due} between n.today and n.today + ${soon}::int`,
  normal: sql<SqlBool>`coalesce(${due} > n.today + ${soon}::int, true)`,
});

/** True when each word of a search occurs in a name or in the title around it. */
const holdsSearch = ({ kind, isNamed }: Kind, search: string | null | undefined, language: LanguageId): Condition[] =>
  wordsOf(search)
    .map(fold)
    .filter((word) => !wordsAround(kind, language).includes(word))
    .map(isNamed);

function filtersOf(kind: Kind, { priority, due_before, search }: Filters, language: LanguageId): Condition[] {
  return [
    ...(priority
      ? [
          sql<SqlBool>`(${sql.join(
            priority.map((one) => byPriority(kind.due)[one]),
            sql` or `,
          )})`,
        ]
      : []),
    ...(due_before ? [sql<SqlBool>`${kind.due} < ${due_before}::date`] : []),
    ...holdsSearch(kind, search, language),
  ];
}

/** The branches restricted by the filters and the search. */
export const narrowed = (branches: readonly Branch[], query: Filters, language: LanguageId): Branch[] =>
  branches
    .filter(({ kind }) => query.kind?.includes(kind.kind) ?? true)
    .map((branch) => {
      const filters = filtersOf(branch.kind, query, language);
      if (filters.length === 0) return branch;
      return { ...branch, where: every([branch.where, ...filters]), left_out: undefined };
    });

/** The branches restricted to the task of a kind with a subject. */
export const ofSubject = (branches: readonly Branch[], kind: ActionableKind, subjectId: number): Branch[] =>
  branches
    .filter((branch) => branch.kind.kind === kind)
    .map((branch) => ({
      ...branch,
      where: every([branch.where, sql<SqlBool>`${branch.kind.subject_id} = ${subjectId}`]),
      left_out: undefined,
    }));

/** A task as the branches return it. */
export type Found = {
  kind: ActionableKind;
  subject_id: number;
  employee_id: number | null;
  due_date: string | null;
  priority: 'overdue' | 'due_soon' | 'normal';
  created_at: string;
  acting_for_id: number | null;
};

const priorityOf = ({ due }: Kind) => {
  const { overdue, due_soon } = byPriority(due);
  return sql`case when ${overdue} then 1 when ${due_soon} then 2 else 3 end`;
};

const columnsOf = ({ kind, acting_for = sql`null::bigint` }: Branch) => sql`
  ${kind.kind}::text as kind, ${kind.subject_id} as subject_id, ${kind.columns.employee} as employee_id,
  ${kind.due} as due_date, ${kind.since} as created_at, ${priorityOf(kind)} as rank,
  ${acting_for} as acting_for_id`;

/** The order of all rows. */
export type Order = { whole: RawBuilder<unknown>; isDefault: boolean };

/** The first rows of each company of a branch. */
const firstRows = (branch: Branch, { whole, isDefault }: Order, limit: number) => {
  const { kind, where, companies: chosen } = branch;
  return sql`
  select found.* from ${companies} cross join lateral (
    select ${columnsOf(branch)} from ${kind.from} where ${kind.columns.entity} = n.id and ${where}
    order by ${isDefault ? (kind.in_order ?? whole) : whole} limit ${limit}) as found
  where ${chosen}`;
};

/** The number of rows of a branch in each company, and how many are overdue. */
const countOf = (branch: Branch) => (branch.left_out ? storedCountOf(branch, branch.left_out) : rowCountOf(branch));

const rowCountOf = ({ kind, where, companies: chosen }: Branch) => sql`
  select ${kind.kind}::text as kind, found.* from ${companies} cross join lateral (
    select count(*) as items, count(*) filter (where ${byPriority(kind.due).overdue}) as overdue
    from ${kind.from} where ${kind.columns.entity} = n.id and ${where}) as found
  where ${chosen}`;

/** The stored count of the status, less the rows that the branch excludes. */
const storedCountOf = ({ kind, companies: chosen }: Branch, leftOut: Condition) => sql`
  select ${kind.kind}::text as kind, stored.items - found.items, stored.overdue - found.overdue
  from ${companies} cross join lateral (
    select coalesce(sum(k.evaluations), 0)::bigint as items,
           coalesce(sum(k.evaluations) filter (where k.due_on < n.today), 0)::bigint as overdue
    from kpi_company_counts k
    where k.status = ${kind.status} and k.status not in ${endedEvaluations} and k.entity_id = n.id) as stored
  cross join lateral (
    select count(*) as items, count(*) filter (where ${byPriority(kind.due).overdue}) as overdue
    from ${kind.from} where ${kind.columns.entity} = n.id and ${kind.while} and ${leftOut}) as found
  where ${chosen}`;

const all = (branch: Branch) => sql`
  select ${columnsOf(branch)} from ${branch.kind.from} join ${companies} on ${ofCompany(branch.kind)}
  where ${branch.where}`;

const noRow = sql`select null::text as kind, null::bigint as subject_id, null::bigint as employee_id,
  null::date as due_date, null::timestamptz as created_at, null::int as rank,
  null::bigint as acting_for_id where false`;
const noCount = sql`select null::text as kind, 0::bigint as items, 0::bigint as overdue where false`;
const union = (parts: readonly RawBuilder<unknown>[]) => sql.join(parts, sql` union all `);

const byCompany = (branches: readonly Branch[]) => branches.filter((branch) => branch.companies !== undefined);

/** The companies, and `few`: the rows of all branches not queried by company, collected once for rows and counts. */
export const withFew = (branches: readonly Branch[]) => sql`${withCompanies}, few as materialized (
  ${union([noRow, ...branches.filter((branch) => branch.companies === undefined).map(all)])})`;

/** Kind, items and overdue: one or more rows for each kind. */
export const countsOf = (branches: readonly Branch[]) =>
  union([
    noCount,
    sql`select kind, count(*), count(*) filter (where rank = 1) from few group by kind`,
    ...byCompany(branches).map(countOf),
  ]);

/** All rows a page may need. */
export const rowsOf = (branches: readonly Branch[], order: Order, limit: number) =>
  union([sql`select * from few`, ...byCompany(branches).map((branch) => sql`(${firstRows(branch, order, limit)})`)]);
