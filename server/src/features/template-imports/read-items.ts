import type { TemplateImportField } from '@tenure/contract';
import {
  describeIssue,
  itemDirections,
  itemTypes,
  kpiTemplateInput,
  messages,
  templateStatuses,
  text,
} from '@tenure/contract';
import type * as z from 'zod';
import { quoted } from '../../quoted.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import { hasInvalidCharacters, ofIssues } from '../../http/validation.ts';
import { readChoice } from '../../imports/cells.ts';
import { readWords } from '../kpi-templates/scale-words.ts';
import type { Line } from './lines.ts';

/** `33,34 %` as `33.34`. */
const readPercent = (cell: string) => cell.replace(/\s*%$/, '').replace(/^([0-9]+),([0-9]+)$/, '$1.$2');

/** `2,5` as `2.5`. */
const readNumber = (cell: string) => cell.replace(/^(-?[0-9]+),([0-9]{1,2})$/, '$1.$2');

const measures: ReadonlySet<string> = new Set(['target_value', 'baseline_value']);
/** `1.500` and `1,500` are 1500 to some people and 1.5 to others. */
const isEitherNumber = (cell: string) => /^-?[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(cell);

/** The fixed choices of fields. */
const choicesOf = { item_type: itemTypes, direction: itemDirections, status: templateStatuses } as const;
type ChoiceField = keyof typeof choicesOf;
const isChoice = (field: string): field is ChoiceField => Object.hasOwn(choicesOf, field);

/** Reads `Higher better`, or the name on the page, as `higher_better`. */
const choiceIn = (field: ChoiceField) => (cell: string) => readChoice(field, choicesOf[field], cell);

const answers = new Map([
  ['yes', '1'],
  ['ja', '1'],
  ['no', '0'],
  ['nein', '0'],
]);
const readAnswer = (cell: string) => answers.get(cell.toLowerCase()) ?? cell.toLowerCase();

const { template, item, status } = kpiTemplateInput;

/** The form's schemas that read a row. */
const schemas = {
  template_name: template.name,
  template_description: template.description,
  item_name: item.name,
  weight: item.weight,
  item_description: item.description,
  sort_order: item.sort_order,
  item_type: item.item_type,
  direction: item.direction,
  unit: item.unit,
  target_value: item.target_value,
  baseline_value: item.baseline_value,
  tolerance_pct: item.tolerance_pct,
  cap_pct: item.cap_pct,
  prorate: item.prorate,
  evidence_required: item.evidence_required,
  job_title: template.job_title,
  grade: template.grade,
  scale_min: template.scale_min,
  scale_max: template.scale_max,
  score_step: template.score_step,
  scale_words: template.scale_words,
  status,
} as const satisfies Partial<Record<TemplateImportField, z.ZodType>>;
export type ReadField = keyof typeof schemas;

/** Converts the cell of a field to the notation of the form; other cells stay unchanged. */
const notations: Partial<Record<ReadField, (cell: string) => unknown>> = {
  weight: readPercent,
  tolerance_pct: readPercent,
  cap_pct: readPercent,
  target_value: readNumber,
  baseline_value: readNumber,
  score_step: readNumber,
  item_type: choiceIn('item_type'),
  direction: choiceIn('direction'),
  status: choiceIn('status'),
  evidence_required: readAnswer,
  prorate: readAnswer,
  scale_words: readWords,
};

/** The values of a row: absent for a blank cell, null for a cell that clears. */
export type ReadLine = { [Field in ReadField]?: z.output<(typeof schemas)[Field]> };

const ofItem = ['item_name', 'weight', 'item_description', 'sort_order', ...Object.keys(item)];

/** True for the only row of a template without items: a draft, as an export writes it. */
export const hasNoItem = ({ meanings }: Line): boolean =>
  Object.entries(meanings).every(([field, meaning]) => meaning === undefined || !ofItem.includes(field)) &&
  typeof meanings.status === 'string' &&
  choiceIn('status')(meanings.status) === 'draft';

/** The reason why a cell cannot be read. */
function refusalOf(field: ReadField, cell: string): Message | undefined {
  if (hasInvalidCharacters(cell)) return say(field, messages.characters);
  return measures.has(field) && isEitherNumber(cell)
    ? text('template_imports.either_number', { value: cell })
    : undefined;
}

/** Reads a cell like form input; null is a cell that clears. */
function readCell(field: ReadField, cell: string | null): { value: unknown } | { errors: Message[] } {
  const refusal = cell === null ? undefined : refusalOf(field, cell);
  if (refusal) return { errors: [refusal] };
  const sent = cell === null ? null : (notations[field]?.(cell) ?? cell);
  const parsed = schemas[field].safeParse(sent, { error: describeIssue });
  if (parsed.success) return { value: parsed.data };
  if (isChoice(field) && cell !== null) {
    const choices = { choices: choicesOf[field], of: field };
    return { errors: [text('imports.not_a_choice', { value: quoted(cell), choices })] };
  }
  const issues = parsed.error.issues.map(({ message }) => message);
  return { errors: ofIssues(field, issues) };
}

/** Reads the cells of a row, with their errors. */
export function readLine({ meanings }: Line, required: readonly ReadField[]): { read: ReadLine; errors: FieldErrors } {
  const values: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const field of required) if (!meanings[field]) errors[field] = [say(field, messages.required)];
  for (const field of Object.keys(schemas) as ReadField[]) {
    const cell = meanings[field];
    if (cell === undefined || errors[field]) continue;
    const read = readCell(field, cell);
    if ('value' in read) values[field] = read.value;
    else errors[field] = read.errors;
  }
  return { read: values, errors };
}
