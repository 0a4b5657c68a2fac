import {
  importFields as columns,
  requiredImportFields,
  requiredTemplateFields,
  templateImportFields,
} from '@tenure/contract';
import type { conflictRules, ImportField, StagedRow, TemplateImportField } from '@tenure/contract';

export type AnyField = ImportField | TemplateImportField;

/** What a column of a file of people can be. */
export const importFields = Object.keys(columns) as ImportField[];

/** What a file of new people must say, under the names people know. */
export const requiredFields = requiredImportFields.map((names): ImportField => names.at(-1) ?? names[0]);

/** What a column of a file of templates can be, and what such a file must say. */
export const templateFields = Object.keys(templateImportFields) as TemplateImportField[];
export const templateRequiredFields: readonly TemplateImportField[] = requiredTemplateFields;

export const isImportField = (field: string): field is AnyField =>
  Object.hasOwn(columns, field) || Object.hasOwn(templateImportFields, field);

/** What a row is about, in the words of the file; its key where these cells are empty. */
export const calledBy = ({ cells, key }: Pick<StagedRow, 'cells' | 'key'>, naming: readonly string[]): string =>
  naming
    .map((field) => cells?.[field])
    .filter(Boolean)
    .join(' ') ||
  key ||
  '–';

/** A company, a department or a manager is one thing to people, whether a file gives its id or its name. */
export const plainField = (field: string): string => field.replace(/^(entity|department|reporting_manager)_id$/, '$1');

/**
 * The required fields that neither a column nor a value for all rows fills. A file that updates people by their numbers
 * may leave out what stays.
 */
export function missingFields(
  mapped: readonly (string | null)[],
  defaults: Record<string, unknown>,
  onConflict: (typeof conflictRules)[number],
): ImportField[] {
  const filled = new Set([...mapped.filter((field) => field !== null), ...Object.keys(defaults)].map(plainField));
  if (onConflict === 'update' && filled.has('employee_number')) return [];
  return requiredFields.filter((field) => !filled.has(field));
}

/** The required fields of a file of templates that no column fills. */
export const missingTemplateFields = (mapped: readonly (string | null)[]): TemplateImportField[] =>
  templateRequiredFields.filter((field) => !mapped.includes(field));
