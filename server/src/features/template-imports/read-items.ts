import type { TemplateImportField } from '@tenure/contract';
import { describeIssue, kpiTemplateInput, messages } from '@tenure/contract';
import type * as z from 'zod';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { hasInvalidCharacters, ofIssues } from '../../http/validation.ts';
import type { Line } from './lines.ts';

/** `33,34 %` as `33.34`. */
const readWeight = (text: string) => text.replace(/\s*%$/, '').replace(/^([0-9]+),([0-9]+)$/, '$1.$2');

const { name, description, item } = kpiTemplateInput;

/** The form's fields that a row is read by. */
const schemas = {
  template_name: name,
  template_description: description,
  item_name: item.name,
  weight: item.weight,
  item_description: item.description,
  sort_order: item.sort_order,
} as const satisfies Partial<Record<TemplateImportField, z.ZodType>>;
type ReadField = keyof typeof schemas;

/** The values of a row: absent for a blank cell, null for a clearing one. */
export type ReadLine = { [Field in ReadField]?: z.output<(typeof schemas)[Field]> };

const required = ['template_name', 'item_name', 'weight'] as const satisfies readonly ReadField[];

/** Reads the cells of a row like form input, with their errors. */
export function readLine({ meanings }: Line): { read: ReadLine; errors: FieldErrors } {
  const read: Record<string, unknown> = {};
  const errors: FieldErrors = {};
  for (const field of required) if (!meanings[field]) errors[field] = [say(field, messages.required)];
  for (const field of Object.keys(schemas) as ReadField[]) {
    const meaning = meanings[field];
    if (meaning === undefined || errors[field]) continue;
    if (meaning !== null && hasInvalidCharacters(meaning)) {
      errors[field] = [say(field, messages.characters)];
      continue;
    }
    const text = field === 'weight' && meaning !== null ? readWeight(meaning) : meaning;
    const parsed = schemas[field].safeParse(text, { error: describeIssue });
    if (parsed.success) read[field] = parsed.data;
    else
      errors[field] = ofIssues(
        field,
        parsed.error.issues.map(({ message }) => message),
      );
  }
  return { read, errors };
}
