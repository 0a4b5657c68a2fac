import { actionableKinds, text } from '@tenure/contract';
import type { ActionableKind, FeedKind } from '@tenure/contract';
import { holds } from '../../access/actor.ts';
import type { WriteCtx } from '../../http/context.ts';
import { render } from '../../languages/languages.ts';
import { listDueTasks, titlesOf } from '../actionable-items/queries.ts';
import type { DueTask } from '../actionable-items/queries.ts';
import { listProbationEnds } from '../probation-reviews/upcoming.ts';
import type { Entry } from './document.ts';

/** A person's tasks and their due days, as entries of a calendar. */

/** The maximum number of tasks and probation ends in one calendar; the most urgent come first. */
export const maxEntries = 300;

export type Wanted = { kinds: readonly FeedKind[]; with_names: boolean; created_at: string };

const familyOf = (kind: ActionableKind): FeedKind => {
  if (kind.startsWith('kpi_')) return 'kpi_tasks';
  return kind.startsWith('probation_') ? 'probation_tasks' : 'other_tasks';
};

const say = ({ request }: WriteCtx, message: Parameters<typeof render>[1]) => render(request.language, message);

/** A text without names, and how many tasks it stands for. */
const counted = (ctx: WriteCtx, words: string, count: number) =>
  count === 1 ? words : say(ctx, text('calendar.several', { words, count }));

const nameless = (ctx: WriteCtx, kind: ActionableKind, count: number) =>
  counted(ctx, say(ctx, { key: `calendar.kinds.${kind}` }), count);

/** Without names, all tasks of a kind and day would look the same, so they become one entry. */
async function together(ctx: WriteCtx, tasks: readonly DueTask[]): Promise<Entry[]> {
  const groups = [...Map.groupBy(tasks, ({ kind, due_date }) => `${kind}-${due_date}`)];
  const alone = groups.flatMap(([, same]) => (same.length === 1 ? same : []));
  const titles = await titlesOf(ctx.db, alone);
  const urlOf = new Map(alone.map((task, index) => [task, titles[index]?.url]));
  return groups.map(([id, same]) => {
    const [first] = same as [DueTask];
    return {
      id,
      day: first.due_date,
      summary: nameless(ctx, first.kind, same.length),
      path: urlOf.get(first) ?? `/tasks?kind=${first.kind}`,
      stamp: first.created_at,
    };
  });
}

async function taskEntries(ctx: WriteCtx, { kinds, with_names }: Wanted): Promise<Entry[]> {
  const wanted = actionableKinds.filter((kind) => kinds.includes(familyOf(kind)));
  const tasks = wanted.length > 0 ? await listDueTasks(ctx, wanted, maxEntries) : [];
  if (!with_names) return together(ctx, tasks);
  const titles = await titlesOf(ctx.db, tasks);
  return titles.map(({ title, url }, index) => {
    const { kind, subject_id, due_date, created_at } = tasks[index] as DueTask;
    return { id: `${kind}-${subject_id}`, day: due_date, summary: say(ctx, title), path: url, stamp: created_at };
  });
}

async function probationEntries(ctx: WriteCtx, { kinds, with_names, created_at }: Wanted): Promise<Entry[]> {
  if (!kinds.includes('probation_ends') || !holds(ctx.actor, 'probation-review.view')) return [];
  const ends = await listProbationEnds(ctx, maxEntries);
  const path = '/probation?tab=ending';
  if (with_names)
    return ends.map(({ employee_id, name, probation_end_date: day }) => ({
      id: `probation-end-${employee_id}`,
      day,
      summary: say(ctx, text('calendar.probation_end_of', { person: name })),
      path: `/employees/${employee_id}`,
      stamp: created_at,
    }));
  return [...Map.groupBy(ends, ({ probation_end_date }) => probation_end_date)].map(([day, same]) => ({
    id: `probation-ends-${day}`,
    day,
    summary: counted(ctx, say(ctx, text('calendar.probation_end')), same.length),
    path,
    stamp: created_at,
  }));
}

/** The entries of a calendar: what its person can see now, with names only if the person chose so. */
export async function entriesOf(ctx: WriteCtx, wanted: Wanted): Promise<Entry[]> {
  return (await Promise.all([taskEntries(ctx, wanted), probationEntries(ctx, wanted)])).flat();
}
