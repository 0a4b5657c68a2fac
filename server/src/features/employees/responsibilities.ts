import { responsibilityKinds } from '@tenure/contract';
import type { QueryOut, responsibilities, Responsibility } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { ListedDuty, PeopleCtx } from '../../people/dependents.ts';

/** The responsibilities of a person that the caller can reassign, one row each. */

const seen = ({ isSeen }: ListedDuty, value: RawBuilder<unknown> | undefined) =>
  value ? sql`case when ${isSeen} then ${value} end` : sql`null::text`;

const rowsOf = (part: ListedDuty) => sql`
  select ${part.kind}::text as kind, ${responsibilityKinds.indexOf(part.kind)}::int as kind_order, ${part.id} as id, ${seen(part, part.name)} as name,
         ${seen(part, part.detail)} as detail, ${part.status ?? sql`null::text`} as status, ${part.entity} as entity_id
  from ${part.from} where ${part.where}`;

/** A page of the person's responsibilities. */
export function listResponsibilities(
  { db, actor, dependents }: Pick<PeopleCtx, 'db' | 'actor' | 'dependents'>,
  personId: number,
  query: QueryOut<typeof responsibilities.list>,
): Promise<{ rows: Responsibility[]; total: number }> {
  const all = sql.join(dependents.duties.flatMap((duty) => duty.listed(actor, personId)).map(rowsOf), sql` union all `);
  const where = every([
    ...oneOfTexts(sql`r.kind`, query.kind),
    ...holdsWords([sql`r.name`, sql`r.detail`], query.search),
  ]);
  const name = sql`fold(r.name) collate "C"`;
  const by = query.sort_by === 'name' ? name : sql`r.kind_order`;
  return selectPage<Responsibility>(db, query, {
    rows: sql`
      select r.kind, r.id, r.name, r.detail, r.status,
             case when n.id is not null then json_build_object('id', n.id, 'name', n.name) end as entity
      from (${all}) as r left join entities n on n.id = r.entity_id where ${where}
      ${orderedBy(by, query.sort_direction, sql`r.kind_order, ${name}, r.id`)}`,
    total: sql`select count(*) from (${all}) as r where ${where}`,
  });
}
