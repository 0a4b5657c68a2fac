import { messages } from '@tenure/contract';
import type { Db } from '../../db/connect.ts';
import { say } from '../../http/errors.ts';
import { lockNames, takenNames } from '../../people/name-checks.ts';
import { asFailed } from './check-row.ts';
import type { Checked } from './check-row.ts';

const refusal = say('display_name', messages.taken);

/** The rows to write whose display name would equal that of another active person; locks the names if requested. */
async function takenBy(db: Db, checked: readonly Checked[], lock: boolean): Promise<ReadonlySet<number>> {
  const naming = checked.flatMap(({ row, plan }) => {
    if (!plan || plan.values.display_name === null || plan.values.activity_status !== 'active') return [];
    const { display_name: shown, first_name, last_name } = plan.values;
    const isNew =
      !plan.person ||
      (['display_name', 'first_name', 'last_name'] as const).some((field) => plan.changed.includes(field));
    return isNew ? [{ row, person: plan.person?.id ?? null, shown, first_name, last_name }] : [];
  });
  if (lock) await lockNames(db, naming);
  const taken = await takenNames(db, naming);
  return new Set(naming.flatMap(({ row }, index) => (taken[index] ? [row] : [])));
}

/** Fails rows whose display name would equal that of another person, in the file or the database. */
export async function refuseTakenNames(
  db: Db,
  checked: Checked[],
  { shared, lock }: { shared: ReadonlySet<number>; lock: boolean },
): Promise<Checked[]> {
  const taken = await takenBy(db, checked, lock);
  return checked.map((one) => {
    const isTaken = taken.has(one.row) || (shared.has(one.row) && one.plan?.values.display_name);
    return isTaken ? asFailed(one, { display_name: [refusal] }) : one;
  });
}
