import { dashboard, reports } from '@tenure/contract';
import type { Dashboard } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { isByCompany, reachOf } from '../../access/actor.ts';
import type { Actor, Reach } from '../../access/actor.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import { bind } from '../../http/context.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { summarise } from '../kpi-cycles/summary.ts';
import { evaluationsIn, ownIn } from '../../access/evaluation-scope.ts';
import { choicesFor } from './choices.ts';
import type { Choices } from './choices.ts';
import { reportCycles } from './cycles.ts';
import { calendarOf } from './days.ts';
import { aboutMe, countMine } from './mine.ts';
import { reportMovement } from './movement.ts';
import { reportOutcomes } from './outcomes.ts';
import { countPeople } from './people.ts';
import { countProbation } from './probation.ts';
import { countGaps } from './quality.ts';
import { companiesCounted, sightOf } from './scope.ts';
import type { Asked, Sight } from './scope.ts';

type Ctx = HandlerCtx<typeof dashboard.get>;

/** The reader's own evaluation, and those to review, in other companies: the list of evaluations has them too. */
const minesElsewhere = (actor: Actor, { everything, entity_ids }: Reach, asked: Asked) =>
  everything
    ? sql<SqlBool>`false`
    : every([
        ownIn(actor, 'kpi-evaluation.view'),
        sql<SqlBool>`v.entity_id <> all(${entity_ids}::bigint[])`,
        ...oneOfIds(sql`v.entity_id`, asked),
      ]);

/** The figures of the selected cycle in the reader's scope. */
async function countCycle(ctx: Ctx, { evaluations }: Sight, { cycle }: Choices): Promise<Pick<Dashboard, 'kpi_cycle'>> {
  if (!evaluations) return {};
  if (!cycle) return { kpi_cycle: null };
  const { actor, query } = ctx;
  const reach = reachOf(actor, evaluations);
  const counted = isByCompany(reach)
    ? {
        companies: (reference: string) => companiesCounted(reach, query.entity_id, reference),
        besides: minesElsewhere(actor, reach, query.entity_id),
      }
    : { rows: every([evaluationsIn(actor, evaluations), ...oneOfIds(sql`v.entity_id`, query.entity_id)]) };
  return { kpi_cycle: await summarise(ctx, cycle, counted) };
}

/** All blocks that the reader sees; the number of statements does not depend on the number of rows. */
async function dashboardFor(ctx: Ctx): Promise<Dashboard> {
  const { actor, query } = ctx;
  const sight = sightOf(actor);
  const when = await calendarOf(ctx, query.entity_id);
  const choices = await choicesFor(ctx, sight, query);
  return {
    today: when.today,
    filters: { entities: choices.entities, cycles: choices.cycles },
    ...(await countPeople(ctx, sight, query.entity_id, when)),
    ...(await countCycle(ctx, sight, choices)),
    ...(await countProbation(ctx, sight, query.entity_id, when)),
    my_work: await countMine(ctx, when.as_of),
    ...(await aboutMe(ctx, query.cycle_id, when.as_of)),
    ...(await countGaps(ctx, sight, query, when.as_of)),
  };
}

export const dashboardRoutes = [
  bind(dashboard.get, { handle: async (ctx) => read(await dashboardFor(ctx)) }),
  bind(reports.movement, { handle: async (ctx) => read(await reportMovement(ctx, ctx.query)) }),
  bind(reports.cycles, { handle: async (ctx) => read(await reportCycles(ctx, ctx.query)) }),
  bind(reports.probationOutcomes, { handle: async (ctx) => read(await reportOutcomes(ctx, ctx.query)) }),
];
