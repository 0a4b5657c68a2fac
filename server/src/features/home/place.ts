import { sql } from 'kysely';
import type { ReadCtx } from '../../http/context.ts';

/** The reader's company and the local day there; UTC for an account without a person. */
export type Place = { entity_id: number | null; department_id: number | null; today: string };

export async function readPlace({ db, actor }: Pick<ReadCtx, 'db' | 'actor'>): Promise<Place> {
  const { rows } = await sql<Place>`
    select e.entity_id, e.department_id, (now() at time zone coalesce(n.timezone, 'UTC'))::date as today
    from (select ${actor.employee_id}::bigint as id) as me
    left join employees e on e.id = me.id left join entities n on n.id = e.entity_id`.execute(db);
  return rows[0] as Place;
}
