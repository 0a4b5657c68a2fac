import type { Text } from '@tenure/contract';
import { text } from '@tenure/contract';
import { sentOf } from '../../db/values.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { wordsOf } from '../kpi-templates/rules.ts';
import type { Values } from '../kpi-templates/write.ts';
import type { ReadField, ReadLine } from './read-items.ts';

/** The columns about the whole template. */
const columns = [
  'template_description',
  'job_title',
  'grade',
  'scale_min',
  'scale_max',
  'score_step',
  'scale_words',
  'status',
] as const satisfies readonly ReadField[];

/** The properties of a row that the fields of its template need. */
type Row = { line: { row: number }; read: ReadLine; warnings: FieldErrors };

const remark = (column: (typeof columns)[number], row: number): Text =>
  column === 'template_description'
    ? text('template_imports.description_of_row', { row })
    : text('template_imports.value_of_row', { row });

/** The fields of a template from its rows: the first value of each; a different one is reported. */
export function templateFieldsOf(rows: readonly Row[]): Partial<Omit<Values, 'name' | 'entity_id'>> {
  const given: Record<string, unknown> = {};
  for (const column of columns) {
    const [first] = rows.filter(({ read }) => read[column] !== undefined);
    if (!first) continue;
    given[column] = first.read[column];
    for (const { read, warnings } of rows)
      if (read[column] !== undefined && JSON.stringify(read[column]) !== JSON.stringify(given[column]))
        warnings[column] = [remark(column, first.line.row)];
  }
  const { template_description: description, scale_words, ...others } = given as ReadLine;
  const words = scale_words === undefined ? undefined : wordsOf(scale_words);
  const { status, job_title, grade, scale_min, scale_max, score_step } = others;
  return sentOf({ description, job_title, grade, scale_min, scale_max, score_step, scale_words: words, status });
}
