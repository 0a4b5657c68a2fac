import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Db } from '../../db/connect.ts';
import { findEmployees } from '../../people/queries.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { sightOf } from '../attachments/policy.ts';
import type { Sight } from '../attachments/policy.ts';

/** A person to whom the importer can add files, and the files that the person has. */
export type Known = {
  person: EmployeeRecord;
  sight: Sight;
  /** Checksums of the files that are visible to the importer. */
  checksums: ReadonlySet<string>;
  /** All files, visible or not: the limits count them as for a single upload. */
  files: number;
  bytes: number;
};

type Held = { employee_id: number; files: number; bytes: number };
type Same = { employee_id: number; checksum: string; category: string; visibility: Sight['visibilities'][number] };

const isSeen = ({ category, visibility }: Same, { visibilities, identity }: Sight) =>
  visibilities.includes(visibility) && (identity || category !== 'id_document');

/**
 * People by folded number to whom the importer could add a file one by one; others are absent, like unknown numbers.
 * `lock` locks the people, so that files added meanwhile are counted.
 */
export async function loadKnown(
  db: Db,
  actor: Actor,
  { numbers, checksums, lock }: { numbers: readonly string[]; checksums: readonly string[]; lock: boolean },
): Promise<Map<string, Known>> {
  if (numbers.length === 0) return new Map();
  const { rows: ids } = await sql<{ id: number; number: string }>`
    select id, fold(employee_number) as number from employees
    where fold(employee_number) = any(${numbers}::text[]) and deleted_at is null`.execute(db);
  const people = await findEmployees(
    { db, actor },
    ids.map(({ id }) => id),
    'employees.update',
    { lock },
  );
  const found = [...people.keys()];
  const { rows: held } = await sql<Held>`
    select employee_id, count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes
    from attachments where employee_id = any(${found}::bigint[]) group by employee_id`.execute(db);
  const { rows: same } = await sql<Same>`
    select employee_id, checksum, category, visibility from attachments
    where employee_id = any(${found}::bigint[]) and checksum = any(${checksums}::text[])`.execute(db);
  const heldBy = new Map(held.map(({ employee_id, ...rest }) => [employee_id, rest]));
  const sameOf = Map.groupBy(same, ({ employee_id }) => employee_id);
  return new Map(
    ids.flatMap(({ id, number }) => {
      const person = people.get(id);
      if (!person) return [];
      const sight = sightOf(actor, person);
      const seen = (sameOf.get(id) ?? []).filter((one) => isSeen(one, sight));
      const { files, bytes } = heldBy.get(id) ?? { files: 0, bytes: 0 };
      return [[number, { person, sight, checksums: new Set(seen.map(({ checksum }) => checksum)), files, bytes }]];
    }),
  );
}
