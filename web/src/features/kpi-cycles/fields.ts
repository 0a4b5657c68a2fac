import type { KpiCycle, kpiCycles } from '@tenure/contract';
import type { Input } from '../../api/call.ts';
import type { Texts } from '../../ui/versions.ts';
import { addDays } from '../../figures/days.ts';
import { sentNumber, writeNumber, type DecimalSign } from '../../ui/numbers.ts';

export const aboutNames = ['name', 'type', 'start_date', 'end_date', 'entity_id', 'owner_id', 'description'] as const;
export const windowNames = [
  'self_assessment_opens_on',
  'self_assessment_closes_on',
  'manager_review_opens_on',
  'manager_review_closes_on',
  'acceptance_days',
  'min_days',
  'auto_skip_self',
  'auto_accept',
  'four_eyes',
  'hr_comment_optional',
] as const;
/** The fields that are fixed once a cycle is published. */
export const fixedRuleNames = ['min_service_days', 'manager_weight_pct', 'pip_below_pct', 'hipo_from_pct'] as const;
export const dateNames = [...windowNames, ...fixedRuleNames, 'band_caps', 'bands'] as const;
/** The fields that can change in a published cycle. */
export const openNames = ['name', 'description', ...windowNames, 'band_caps', 'owner_id'] as const;

export type CycleField = (typeof aboutNames)[number] | (typeof dateNames)[number];
type Body = Partial<Input<typeof kpiCycles.update>['body']>;

const flags = new Set<string>(['auto_skip_self', 'auto_accept', 'four_eyes', 'hr_comment_optional']);
const numbers = new Set<string>([
  'copy_from',
  'entity_id',
  'owner_id',
  'acceptance_days',
  'min_days',
  ...fixedRuleNames,
]);
const required = new Set<string>([
  'name',
  'type',
  'start_date',
  'end_date',
  'acceptance_days',
  'min_days',
  ...fixedRuleNames,
]);
required.delete('min_service_days');
export const bandKeys = ['a', 'b', 'c', 'd'] as const;

/** The field names of the caps in a refusal. */
export const capErrors = bandKeys.map((key) => `band_caps.${key}`);

/** The field names of the bands in a refusal. */
export const bandErrors = bandKeys.flatMap((key) => [`bands.${key}.name`, `bands.${key}.from`]);

/** Names and limits of the bands as one text, with a line for each, the highest band first. */
export const joinBands = (lines: readonly string[]): string => lines.join('\n');
export const splitBands = (text: string): string[] => {
  const lines = text.split('\n');
  return Array.from({ length: 2 * bandKeys.length - 1 }, (_, index) => lines[index] ?? '');
};
const bandsText = ({ a, b, c, d }: KpiCycle['bands'], sign: DecimalSign) =>
  joinBands([...[a, b, c].flatMap(({ name, from }) => [name, writeNumber(from, sign)]), d.name]);

function bandsSent(text: string, sign: DecimalSign) {
  const lines = splitBands(text).map((line) => line.trim());
  return Object.fromEntries(
    bandKeys.map((key, index) => {
      const [name, from] = [lines[2 * index] ?? '', lines[2 * index + 1]];
      return [key, from === undefined ? { name } : { name, from: sentNumber(from, sign) }];
    }),
  );
}

/** The caps of the four bands as one text; empty if there are none. */
export const joinCaps = (caps: readonly string[]): string => (caps.every((cap) => cap === '') ? '' : caps.join(';'));
export const splitCaps = (text: string): string[] => {
  const parts = text.split(';');
  return bandKeys.map((_, index) => parts[index] ?? '');
};

const textOf = (cycle: KpiCycle, field: CycleField, sign: DecimalSign): string => {
  if (field === 'band_caps') return joinCaps(bandKeys.map((key) => String(cycle.band_caps?.[key] ?? '')));
  if (field === 'bands') return bandsText(cycle.bands, sign);
  const value = cycle[field];
  if (typeof value === 'boolean') return value ? 'true' : '';
  return typeof value === 'number' ? writeNumber(value, sign) : (value ?? '');
};

/** The initial form values of a cycle. */
export const cycleTexts = (cycle: KpiCycle, names: readonly CycleField[], sign: DecimalSign): Texts =>
  Object.fromEntries(names.map((field) => [field, textOf(cycle, field, sign)]));

/** The initial form values of a new cycle. */
export const newCycle = (): Texts => ({
  ...Object.fromEntries(aboutNames.map((field) => [field, ''])),
  copy_from: '',
  type: 'quarterly',
});

const valueOf = (field: string, text: string, sign: DecimalSign): unknown => {
  if (flags.has(field)) return text === 'true';
  if (field === 'bands') return bandsSent(text, sign);
  if (field === 'band_caps')
    return text === ''
      ? null
      : Object.fromEntries(splitCaps(text).map((cap, index) => [bandKeys[index], sentNumber(cap, sign)]));
  if (text === '' && !required.has(field)) return null;
  return numbers.has(field) ? sentNumber(text, sign) : text;
};

/** The changed fields as a request body; both weights are sent together. */
export function cycleBody(changed: Texts, sign: DecimalSign): Body {
  const body: Record<string, unknown> = Object.fromEntries(
    Object.entries(changed).map(([field, text]) => [field, valueOf(field, text.trim(), sign)]),
  );
  const weight = body['manager_weight_pct'];
  return { ...body, ...(typeof weight === 'number' && { self_weight_pct: 100 - weight }) };
}

const months: Partial<Record<KpiCycle['type'], number>> = { monthly: 1, quarterly: 3, semi_annual: 6, annual: 12 };

/** The last day of a cycle of this type; undefined if the type has no fixed length. */
export function lastDayOf(type: string, start: string): string | undefined {
  const length = months[type as KpiCycle['type']];
  const first = new Date(`${start}T00:00:00Z`);
  if (length === undefined || Number.isNaN(first.getTime())) return undefined;
  const [year, month, date] = [first.getUTCFullYear(), first.getUTCMonth() + length, first.getUTCDate()];
  // If the last month lacks that day, the next cycle starts on the month's last day.
  const next = Math.min(date, new Date(Date.UTC(year, month + 1, 0)).getUTCDate());
  return new Date(Date.UTC(year, month, next - 1)).toISOString().slice(0, 10);
}

/** The calendar period of a type around a day, such as its quarter; undefined for a type without a fixed length. */
export function periodAround(type: string, day: string): { start: string; end: string } | undefined {
  const length = months[type as KpiCycle['type']];
  if (length === undefined) return undefined;
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1];
  const start = new Date(Date.UTC(year, month - (month % length), 1)).toISOString().slice(0, 10);
  const end = lastDayOf(type, start);
  return end === undefined ? undefined : { start, end };
}

/** The period after a cycle, with the length of its type, or else of the cycle itself. */
export function periodAfter({ type, start_date, end_date }: Pick<KpiCycle, 'type' | 'start_date' | 'end_date'>) {
  const start = addDays(end_date, 1);
  const length = (Date.parse(end_date) - Date.parse(start_date)) / 86_400_000;
  return { start, end: lastDayOf(type, start) ?? addDays(start, length) };
}
