import { messages, text } from '@tenure/contract';
import type { FormerResultImportField } from '@tenure/contract';
import { isDay } from '@tenure/contract';
import { quoted } from '../../quoted.ts';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { hasInvalidCharacters } from '../../http/validation.ts';
import { meaningOf } from '../../imports/cells.ts';
import type { Defaults, Layout } from '../../imports/columns.ts';
import { readDate } from '../../imports/dates.ts';
import type { DateFormat } from '../../imports/dates.ts';
import type { Values } from '../former-results/result.ts';
import { readResult, readScale } from './number.ts';
import type { Scale } from './number.ts';
import { daysOf } from './period.ts';

/** A row as read: the result before its band is matched with the person's company, and the errors of its cells. */
export type ReadRow = {
  number: string | undefined;
  /** The band as written in the file. */
  band: string | null;
  values: Values;
  errors: FieldErrors;
};

type Texts = Partial<Record<FormerResultImportField, string>>;

const longest = { employee_number: 20, period: 100, source: 100, band: 60 } as const;

/** The texts of a row; a default fills an empty cell. */
function textsOf(cells: readonly string[], layout: Layout<FormerResultImportField>, defaults: Defaults): Texts {
  const texts: Texts = {};
  for (const [field, value] of Object.entries(defaults))
    if (value !== null && String(value).trim() !== '') texts[field as FormerResultImportField] = String(value).trim();
  for (const [field, index] of layout) {
    const meaning = meaningOf(cells[index]);
    if (meaning === null) delete texts[field];
    else if (meaning !== undefined) texts[field] = meaning;
  }
  return texts;
}

function checkTexts(texts: Texts): FieldErrors {
  const errors: FieldErrors = {};
  for (const [field, most] of Object.entries(longest) as [keyof typeof longest, number][]) {
    const value = texts[field];
    if (value === undefined) continue;
    if (hasInvalidCharacters(value)) errors[field] = [say(field, messages.characters)];
    else if (Array.from(value).length > most) errors[field] = [say(field, messages.maxCharacters(most))];
  }
  for (const field of ['employee_number', 'source'] as const)
    if (texts[field] === undefined) errors[field] = [say(field, messages.required)];
  return errors;
}

function readPeriod(texts: Texts, format: DateFormat, errors: FieldErrors) {
  const day = (field: 'period_from' | 'period_to'): string | null => {
    const value = texts[field];
    if (value === undefined) return null;
    const read = readDate(value, format);
    if (isDay(read)) return read;
    errors[field] = [text('imports.not_a_date', { value: quoted(value), format: { date_format: format } })];
    return null;
  };
  const [from, to] = [day('period_from'), day('period_to')];
  // explicit days take precedence over those that the name implies
  const implied = texts.period !== undefined && texts.period_to === undefined ? daysOf(texts.period) : undefined;
  if (texts.period_to === undefined && !implied)
    errors['period_to'] =
      texts.period === undefined
        ? [say('period_to', messages.required)]
        : [text('former_results.no_days', { period: quoted(texts.period) })];
  return {
    period: texts.period ?? null,
    period_from: from ?? (texts.period_from === undefined ? (implied?.from ?? null) : null),
    period_to: to ?? implied?.to ?? '',
  };
}

const nothing = { unit: null, result: null, scale_from: null, scale_to: null };

function readNumber(texts: Texts, errors: FieldErrors): Pick<Values, keyof typeof nothing> {
  if (texts.result === undefined) return nothing;
  const read = readResult(texts.result);
  if (!read) {
    errors['result'] = [text('former_results.not_a_number', { value: quoted(texts.result) })];
    return nothing;
  }
  const { value: result, isPercent } = read;
  const scale: Scale | undefined =
    texts.scale === undefined
      ? isPercent
        ? { unit: 'percent', from: 0, to: 100 }
        : undefined
      : readScale(texts.scale);
  if (!scale) {
    errors['scale'] =
      texts.scale === undefined
        ? [text('former_results.scale_missing')]
        : [text('former_results.no_such_scale', { value: quoted(texts.scale) })];
    return nothing;
  }
  if (isPercent && scale.unit !== 'percent') errors['scale'] = [text('former_results.percent_on_points')];
  return { unit: scale.unit, result, scale_from: scale.from, scale_to: scale.to };
}

export type Reading = { layout: Layout<FormerResultImportField>; defaults: Defaults; format: DateFormat };

/** Reads the cells of a row after their values are matched. */
export function readRow(cells: readonly string[], { layout, defaults, format }: Reading): ReadRow {
  const texts = textsOf(cells, layout, defaults);
  const errors = checkTexts(texts);
  const values: Values = {
    ...readPeriod(texts, format, errors),
    ...readNumber(texts, errors),
    band: null,
    source: texts.source ?? '',
  };
  return { number: texts.employee_number && fold(texts.employee_number), band: texts.band ?? null, values, errors };
}

/** What must be unique among a person's results: the days of the period and the source. */
export const periodKey = ({ period_from, period_to, source }: Pick<Values, 'period_from' | 'period_to' | 'source'>) =>
  `${period_from ?? ''}|${period_to}|${fold(source)}`;
