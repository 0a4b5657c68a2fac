import { text } from '@tenure/contract';
import { say } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';
import { fieldOf, isLeftOut } from './columns.ts';
import type { ImportRecord, StagedCells } from './record.ts';

/** Form names of fields, used in messages. */
const formNames: Readonly<Record<string, string>> = {
  entity: 'entity_id',
  department: 'department_id',
  reporting_manager: 'reporting_manager_id',
};

/** The key of a field in messages. */
export const formName = (field: string): string => formNames[field] ?? field;

/** The column of a field in messages, without an id. */
export const plainField = (key: string): string =>
  Object.keys(formNames).find((field) => formNames[field] === key) ?? key;

/** Errors for formulas in cells that need a value. */
export function formulaErrors({ columns }: ImportRecord, { flaws }: StagedCells): FieldErrors {
  const fields = (flaws?.formulas ?? []).flatMap((index) => {
    const column = columns[index];
    return (column && fieldOf(column)) ?? [];
  });
  return Object.fromEntries(fields.map((field) => [formName(field), [say(formName(field), text('imports.formula'))]]));
}

/** Warnings about skipped cells: once per column without a field, in the first row that fills it. */
export function skippedCellWarnings({ columns }: ImportRecord, { row, flaws }: StagedCells): FieldErrors {
  const warnings: FieldErrors = {};
  for (const column of columns)
    if (column.row === row && isLeftOut(column))
      warnings[column.header] = [text('imports.column_left_out', { column: column.header })];
  if (flaws?.surplus) warnings.row = [text('imports.surplus_cells', { count: flaws.surplus })];
  return warnings;
}
