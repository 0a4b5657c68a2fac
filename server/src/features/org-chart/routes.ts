import { orgChart } from '@tenure/contract';
import type { QueryOut } from '@tenure/contract';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { bind } from '../../http/context.ts';
import { read } from '../../http/replies.ts';
import { departmentLevels, peopleOf } from './departments.ts';
import { peopleLevels, shownOnDay, shownPeople } from './people.ts';
import { grow } from './tree.ts';

const defaultDepth = 2;

type Query = QueryOut<typeof orgChart.get>;

async function chartOf({ db, actor }: { db: Db; actor: Actor }, query: Query) {
  const by = query.by ?? 'manager';
  const root_id = query.root_id ?? null;
  const { as_of, entity_id } = query;
  const shown = as_of ? shownOnDay(actor, as_of, entity_id) : await shownPeople(db, actor, entity_id);
  const levels = (by === 'manager' ? peopleLevels : departmentLevels)(db, actor, shown, query);
  const { nodes, has_more } = await grow(levels, query.depth ?? defaultDepth);
  const path = query.person_id ? await levels.path(query.person_id) : null;
  if (by === 'manager' || root_id === null) return { by, root_id, nodes, has_more, people: null, path };
  const members = await peopleOf(db, actor, shown, root_id);
  return { by, root_id, nodes, has_more: has_more || members.has_more, people: members.people, path };
}

export const orgChartRoutes = [
  bind(orgChart.get, {
    handle: async (ctx) => read(await chartOf(ctx, ctx.query)),
  }),
];
