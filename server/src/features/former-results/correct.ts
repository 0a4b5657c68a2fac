import { text } from '@tenure/contract';
import type { BodyOut, formerResults } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import { sentOf } from '../../db/values.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalidFields } from '../../http/errors.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { bandCalled, bandNames } from './bands.ts';
import type { BandNames } from './bands.ts';
import type { Stored } from './queries.ts';
import { errorsOf, percentageOf, shownIn } from './result.ts';
import type { Values } from './result.ts';

/** An unchanged band keeps its stored name; another one must be a band of the company. */
async function readBand({ db }: WriteCtx, person: EmployeeRecord, band: string, stored: string | null) {
  if (band === stored) return band;
  const { rows } = await sql<{ names: BandNames }>`
    select ${bandNames} as names from entities n where n.id = ${person.entity_id}`.execute(db);
  const names = (rows[0] as { names: BandNames }).names;
  const found = bandCalled(band, names);
  if (found === undefined)
    throw invalidFields({ band: [text('former_results.no_band', { value: band, bands: names.join(', ') })] });
  return found;
}

/** A result without a number has no scale; a percentage has the scale 0 to 100. */
function withScale(values: Values): Values {
  if (values.result === null) return { ...values, unit: null, scale_from: null, scale_to: null };
  return values.unit === 'percent' ? { ...values, scale_from: 0, scale_to: 100 } : values;
}

const about = (person: EmployeeRecord, { id }: Stored, reason: string) => ({
  subject_id: id,
  subject_label: person.name,
  entity_id: person.entity_id,
  about_employee_id: person.id,
  reason,
});

/** Corrects a locked result. Throws 422 for a stale revision and for values that do not make a result. */
export async function correctResult(
  ctx: WriteCtx,
  person: EmployeeRecord,
  { row, body }: { row: Stored; body: BodyOut<typeof formerResults.update> },
): Promise<void> {
  const { reason, revision, ...sent } = body;
  checkRevision(row, { revision }, 'stored');
  const merged = withScale({ ...shownIn(row), ...sentOf(sent) });
  const band = merged.band === null ? null : await readBand(ctx, person, merged.band, row.band);
  const values: Values = { ...merged, band };
  const errors = errorsOf(values, person.today);
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  const changes = changesBetween(shownIn(row), values);
  if (Object.keys(changes).length === 0) return;
  await ctx.db
    .updateTable('former_results')
    .set({ ...values, percentage: percentageOf(values) })
    .where('id', '=', row.id)
    .execute();
  await record(ctx, { action: 'former_result.updated', ...about(person, row, reason), changes });
}

/** Deletes a locked result. */
export async function deleteResult(ctx: WriteCtx, person: EmployeeRecord, row: Stored, reason: string): Promise<void> {
  await ctx.db.deleteFrom('former_results').where('id', '=', row.id).execute();
  const changes = Object.fromEntries(
    Object.entries(shownIn(row)).flatMap(([name, from]) => (from === null ? [] : [[name, { from, to: null }]])),
  );
  await record(ctx, { action: 'former_result.deleted', ...about(person, row, reason), changes });
}
