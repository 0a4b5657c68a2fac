import { actionableKinds } from '@tenure/contract';
import type {
  actionableItems,
  ActionableKind,
  Permission,
  PersonRef,
  QueryOut,
  Reply,
  ReplyIn,
  Text,
} from '@tenure/contract';
import { sql } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { personRefTo } from '../../db/refs.ts';
import type { Missing } from '../../db/lists.ts';
import type { WriteCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { check } from './allowed.ts';
import { branchesOf, countsOf, narrowed, ofSubject, rowsOf, withFew } from './branches.ts';
import type { Branch, Found, Order } from './branches.ts';
import { kinds, poolPermissions } from './kinds.ts';
import type { Kind } from './kind.ts';
import { sharesOf } from './pool.ts';
import { descriptionOf, titleOf } from './texts.ts';

type Item = ReplyIn<typeof actionableItems.list>['data'][number];
type ListQuery = QueryOut<typeof actionableItems.list>;
type Counts = Reply<typeof actionableItems.counts>['data'];

async function allBranches({ db, actor }: WriteCtx): Promise<Branch[]> {
  const shares = await sharesOf(db, actor, poolPermissions);
  return kinds.flatMap((kind) => branchesOf(actor, kind, shares));
}

/** The order of the list, and of each branch before merging. */
function orderOf({ sort_by, sort_direction }: Pick<ListQuery, 'sort_by' | 'sort_direction'>): Order {
  const direction = sort_direction === 'desc' ? sql`desc` : sql`asc`;
  const by = {
    priority: sql`rank ${direction}, due_date ${direction} nulls last, created_at ${direction}`,
    due_date: sql`due_date ${direction} nulls last`,
    created_at: sql`created_at ${direction}`,
    kind: sql`kind ${direction}`,
  };
  return {
    whole: sql`${by[sort_by ?? 'priority']}, kind, subject_id`,
    isDefault: (sort_by ?? 'priority') === 'priority' && sort_direction !== 'desc',
  };
}

/** Reads one page and the total in one statement. */
async function readPage(db: Db, query: ListQuery, branches: readonly Branch[]) {
  const order = orderOf(query);
  const [size, offset] = [pageSize(query), pageOffset(query)];
  const found = await sql<{ list_total: number } & (Found | Missing<Found>)>`
    with ${withFew(branches)}, counted as (
      select coalesce(sum(items), 0)::bigint as list_total from (${countsOf(branches)}) as counts
    ), page as (
      select row_number() over (order by ${order.whole}) as ordinal, found.*
      from (${rowsOf(branches, order, offset + size)}) as found
      order by ${order.whole} limit ${size} offset ${offset}
    )
    select c.list_total, p.kind, p.subject_id, p.employee_id, p.due_date, p.created_at, p.acting_for_id,
           (array['overdue', 'due_soon', 'normal'])[p.rank] as priority
    from counted c left join page p on true order by p.ordinal`.execute(db);
  const total = found.rows[0]?.list_total ?? 0;
  return { total, page: found.rows.filter((row) => row.kind !== null).map(({ list_total: _total, ...row }) => row) };
}

/** The details that a task takes from its record. */
type Details = {
  employee_number: string | null;
  person: string | null;
  cycle: string | null;
  cycle_id: number | null;
  acting_for: PersonRef | null;
  failure: Text | null;
  /** The kind of token, where the task is about one. */
  token_kind: string | null;
  has_probation_end: boolean;
};

const kindsAbout = (wanted: Kind['subject']) =>
  kinds.filter(({ subject }) => subject === wanted).map(({ kind }) => kind);
const [kindsOfEvaluations, kindsOfCycles] = [kindsAbout('kpi_evaluation'), kindsAbout('kpi_cycle')];

/** Reads the subjects of the rows of a page, in their order. */
async function detailsOf(db: Db, page: readonly Found[]): Promise<Details[]> {
  const { rows } = await sql<Details>`
    select e.employee_number, coalesce(e.name, s.name, t.name, g.name, b.email, w.name, k.name) as person, t.kind as token_kind,
           -- a person has the same task for each part of the cycle
           case when v.part is null then c.name else c.name || ' (' || v.part || '/2)' end as cycle,
           v.cycle_id, h.failure, e.probation_end_date is not null as has_probation_end, ${personRefTo('a')} as acting_for
    from rows from (jsonb_to_recordset(${JSON.stringify(page)}::jsonb)
                    as (kind text, subject_id bigint, employee_id bigint, acting_for_id bigint)) with ordinality as f
    left join employees e on e.id = f.employee_id
    left join employees a on a.id = f.acting_for_id
    left join kpi_evaluations v on f.kind = any(${kindsOfEvaluations}::text[]) and v.id = f.subject_id
    left join kpi_cycles c on c.id = case when f.kind = any(${kindsOfCycles}::text[]) then f.subject_id else v.cycle_id end
    left join service_accounts s on f.kind = 'service_account_without_owner' and s.user_id = f.subject_id
    left join api_tokens t on f.kind in ('token_unused', 'token_ending') and t.id = f.subject_id
    left join users b on f.kind = 'emergency_account_unused' and b.id = f.subject_id
    left join employees g on g.user_id = b.id
    left join webhooks w on f.kind = 'webhook_stopped' and w.id = f.subject_id
    left join chat_targets k on f.kind = 'chat_target_stopped' and k.id = f.subject_id
    left join job_history h on f.kind = 'job_change_failed' and h.id = f.subject_id
    order by f.ordinality`.execute(db);
  return rows;
}

const kindOf = Object.fromEntries(kinds.map((kind) => [kind.kind, kind])) as Record<ActionableKind, Kind>;

/** The permission for tasks that are not about an evaluation or a review. */
const neededFor: Partial<Record<Kind['kind'], Permission>> = {
  kpi_cycle_to_close: 'kpi-cycle.update',
  probation_review_missing: 'probation-review.create',
};

function actionsOf(actor: Actor, { kind, page, actions }: Kind, allowed: readonly string[] | undefined): string[] {
  // users with these tasks have the permission to do them
  if (page) return [...actions];
  if (allowed) return actions.filter((action) => allowed.includes(action));
  const needed = neededFor[kind];
  return needed && !holds(actor, needed) ? [] : [...actions];
}

function urlOf({ subject, page }: Kind, { subject_id, employee_id }: Found, { cycle_id, token_kind }: Details): string {
  if (page === 'moves') return `/kpi/cycles/${cycle_id}?tab=participants`;
  if (page === 'eligible') return `/kpi/cycles/${subject_id}?tab=eligible`;
  if (page === 'absences') return `/employees/${subject_id}?tab=job`;
  return {
    kpi_evaluation: `/kpi/evaluations/${subject_id}`,
    kpi_cycle: `/kpi/cycles/${subject_id}`,
    probation_review: `/probation/${subject_id}`,
    employee: page ? `/employees/${subject_id}/${page}` : `/employees/${subject_id}`,
    job_history: `/employees/${employee_id}?tab=history`,
    identity_provider: '/people-waiting',
    service_account: '/settings/access-tokens',
    token: token_kind === 'personal' ? '/profile?part=security' : '/settings/access-tokens',
    recovery_codes: '/profile?part=security',
    emergency_account: '/settings/sign-in?part=emergency',
    webhook: `/settings/webhooks?webhook=${subject_id}`,
    chat_target: '/settings/webhooks?view=chat',
  }[subject];
}

/** The subject in responses; the task about unlinked people uses negative ids for SCIM connections. */
const subjectOf = ({ subject }: Kind, id: number): Item['subject'] =>
  id < 0 ? { type: 'scim_connection', id: -id } : { type: subject, id };

/** A page of the actor's tasks, the most urgent first. */
export async function listItems(ctx: WriteCtx, query: ListQuery): Promise<{ rows: Item[]; total: number }> {
  const branches = narrowed(await allBranches(ctx), query, ctx.request.language);
  const { page, total } = await readPage(ctx.db, query, branches);
  return { rows: await present(ctx, page), total };
}

/** A task with a due day. */
export type DueTask = Found & { due_date: string };

/** The actor's tasks of some kinds with a due day, the most urgent first. */
export async function listDueTasks(ctx: WriteCtx, kind: ActionableKind[], most: number): Promise<DueTask[]> {
  const branches = narrowed(await allBranches(ctx), { kind }, ctx.request.language);
  const order = orderOf({});
  const { rows } = await sql<DueTask>`
    with ${withFew(branches)}
    select p.kind, p.subject_id, p.employee_id, p.due_date, p.created_at, p.acting_for_id,
           (array['overdue', 'due_soon', 'normal'])[p.rank] as priority
    from (${rowsOf(branches, order, most)}) as p
    where p.due_date is not null order by ${order.whole} limit ${most}`.execute(ctx.db);
  return rows;
}

/** The title of each task found for the actor, and the screen it links to. */
export async function titlesOf(db: Db, found: readonly Found[]): Promise<Pick<Item, 'title' | 'url'>[]> {
  if (found.length === 0) return [];
  const details = await detailsOf(db, found);
  return found.map((row, index) => shown(row, details[index] as Details));
}

/** Finds a task of the actor by its kind and subject. Throws 404 for tasks of others and for finished ones too. */
export async function findItem(ctx: WriteCtx, id: string): Promise<Item> {
  const [kind, subject] = id.split(':') as [ActionableKind, string];
  const branches = ofSubject(await allBranches(ctx), kind, Number(subject));
  const { page } = await readPage(ctx.db, { page: 1, per_page: 1 }, branches);
  const [found] = await present(ctx, page);
  if (!found) throw notFound();
  return found;
}

/** The properties that every view of a task shows. */
const shown = (row: Found, known: Details) => ({
  title: titleOf(row.kind, { person: known.person ?? '', cycle: known.cycle ?? '' }),
  url: urlOf(kindOf[row.kind], row, known),
});

async function present(ctx: WriteCtx, page: readonly Found[]): Promise<Item[]> {
  if (page.length === 0) return [];
  const { db, actor } = ctx;
  const details = await detailsOf(db, page);
  const checked = await check(
    ctx,
    page.map(({ kind, subject_id }) => ({ subject: kindOf[kind].subject, id: subject_id })),
  );
  return page.map((row, index): Item => {
    const kind = kindOf[row.kind];
    const known = details[index] as Details;
    const { employee_number, person, failure, acting_for } = known;
    const { subject_id, employee_id, acting_for_id: _absent, ...rest } = row;
    return {
      id: `${row.kind}:${subject_id}`,
      ...rest,
      ...shown(row, known),
      description: failure ?? descriptionOf(row, known),
      subject: subjectOf(kind, subject_id),
      employee:
        employee_id === null ? null : { id: employee_id, employee_number: employee_number ?? '', name: person ?? '' },
      acting_for,
      allowed_actions: actionsOf(actor, kind, checked(kind.subject, row.subject_id)),
    };
  });
}

/** The number of the actor's tasks by kind; kinds without tasks are absent. */
export async function countItems(ctx: WriteCtx): Promise<Counts> {
  const branches = await allBranches(ctx);
  const { rows } = await sql<{ kind: ActionableKind; items: number; overdue: number }>`
    with ${withFew(branches)}
    select kind, sum(items)::bigint as items, sum(overdue)::bigint as overdue
    from (${countsOf(branches)}) as counted group by kind having sum(items) > 0`.execute(ctx.db);
  const sum = (of: 'items' | 'overdue') => rows.reduce((total, row) => total + row[of], 0);
  const ordered = rows.toSorted((a, b) => actionableKinds.indexOf(a.kind) - actionableKinds.indexOf(b.kind));
  return {
    total: sum('items'),
    overdue: sum('overdue'),
    by_kind: Object.fromEntries(ordered.map(({ kind, items }) => [kind, items])),
  };
}
