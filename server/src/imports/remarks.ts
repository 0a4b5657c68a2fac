import { attributeName } from '../http/errors.ts';
import type { FieldErrors } from '../http/errors.ts';
import { agree, counted } from '../wording.ts';
import { fieldOf, isLeftOut } from './columns.ts';
import type { ImportRecord, StagedCells } from './record.ts';

/** Form names of fields, used in messages. */
const formNames: Readonly<Record<string, string>> = {
  entity: 'entity_id',
  department: 'department_id',
  reporting_manager: 'reporting_manager_id',
};

/** The key of a field in messages. */
const formName = (field: string): string => formNames[field] ?? field;

/** Errors for formulas in cells that need a value. */
export function formulaErrors({ columns }: ImportRecord, { flaws }: StagedCells): FieldErrors {
  const fields = (flaws?.formulas ?? []).flatMap((index) => {
    const column = columns[index];
    return (column && fieldOf(column)) ?? [];
  });
  return Object.fromEntries(
    fields.map((field) => [formName(field), [`The ${attributeName(formName(field))} field contains a formula.`]]),
  );
}

/** Warnings for skipped cells: once for each column without a field, in the first row that fills it. */
export function leftOut({ columns }: ImportRecord, { row, flaws }: StagedCells): FieldErrors {
  const warnings: FieldErrors = {};
  for (const column of columns)
    if (column.row === row && isLeftOut(column))
      warnings[column.header] = [`The column "${column.header}" is not imported.`];
  if (flaws?.surplus)
    warnings.row = [
      `${counted(flaws.surplus, 'cell', 'cells')} to the right of the last heading ${agree(flaws.surplus, 'is', 'are')} not imported.`,
    ];
  return warnings;
}
