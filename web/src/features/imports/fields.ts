import {
  attachmentImportFields,
  formerResultImportFields,
  historyImportFields,
  importFields as columns,
  requiredFormerResultFields,
  requiredHistoryFields,
  requiredImportFields,
  requiredTemplateFields,
  templateImportFields,
} from '@tenure/contract';
import type {
  AttachmentImportField,
  conflictRules,
  FormerResultImportField,
  HistoryImportField,
  ImportField,
  StagedRow,
  TemplateImportField,
} from '@tenure/contract';

export type AnyField =
  | ImportField
  | HistoryImportField
  | TemplateImportField
  | FormerResultImportField
  | AttachmentImportField;

/** The fields of a people import. */
export const importFields = Object.keys(columns) as ImportField[];

/** The fields that new people require, under their usual names. */
export const requiredFields = requiredImportFields.map((names): ImportField => names.at(-1) ?? names[0]);

/** The fields of a template import, and the required ones. */
export const templateFields = Object.keys(templateImportFields) as TemplateImportField[];
export const templateRequiredFields: readonly TemplateImportField[] = requiredTemplateFields;

/** The fields of an import of former jobs, and the required ones. */
export const historyFields = Object.keys(historyImportFields) as HistoryImportField[];
export const historyRequiredFields: readonly HistoryImportField[] = requiredHistoryFields;

/** The fields of an import of former results, and the required ones under their usual names. */
export const formerResultFields = Object.keys(formerResultImportFields) as FormerResultImportField[];
export const formerResultRequiredFields: readonly FormerResultImportField[] = requiredFormerResultFields.map(
  (names) => names[0],
);

/** The fields of a file import. */
export const attachmentFields = Object.keys(attachmentImportFields) as AttachmentImportField[];

export const isImportField = (field: string): field is AnyField =>
  [columns, historyImportFields, templateImportFields, formerResultImportFields, attachmentImportFields].some(
    (fields) => Object.hasOwn(fields, field),
  );

/** The name of a row from its cells; its key if they are empty. */
export const rowName = ({ cells, key }: Pick<StagedRow, 'cells' | 'key'>, nameFields: readonly string[]): string =>
  nameFields
    .map((field) => cells?.[field])
    .filter(Boolean)
    .join(' ') ||
  key ||
  '–';

/** Companies, departments and managers are one field each, whether the file has their ids or names. */
export const plainField = (field: string): string => field.replace(/^(entity|department|reporting_manager)_id$/, '$1');

/**
 * The required fields that neither a column nor a value for all rows fills. A file that updates people by number may
 * omit unchanged fields.
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

/** The required fields of former jobs that no column fills. */
export const missingHistoryFields = (mapped: readonly (string | null)[]): HistoryImportField[] =>
  historyRequiredFields.filter((field) => !mapped.includes(field));

/** The required template fields that no column fills. */
export const missingTemplateFields = (mapped: readonly (string | null)[]): TemplateImportField[] =>
  templateRequiredFields.filter((field) => !mapped.includes(field));

/** The required fields of former results that neither a column nor a value for all rows fills. */
export function missingFormerResultFields(
  mapped: readonly (string | null)[],
  defaults: Record<string, unknown>,
): FormerResultImportField[] {
  const filled = new Set([...mapped, ...Object.keys(defaults)]);
  return requiredFormerResultFields.flatMap((names) => (names.some((name) => filled.has(name)) ? [] : [names[0]]));
}
