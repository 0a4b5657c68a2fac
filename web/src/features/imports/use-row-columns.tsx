import type { Import, StagedRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Column } from '../../ui/DataTable.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { rowName, isImportField, plainField } from './fields.ts';
import { GridCell } from './GridCell.tsx';
import classes from './RowGrid.module.css';
import { people, useImportKind } from './kinds.ts';
import { SkipRow } from './SkipRow.tsx';
import { Remarks } from './Remarks.tsx';
import { useStableOrder } from './use-stable-order.ts';
import { useFieldName } from './use-field-name.ts';

const tones: Record<StagedRow['status'], Tone> = {
  valid: 'good',
  failed: 'danger',
  created: 'good',
  updated: 'info',
  skipped: 'quiet',
  undone: 'quiet',
};

/** Before the commit, a valid row shows its planned action. */
function stateOf({ status, action, left_out }: StagedRow) {
  if (left_out) return 'left_out' as const;
  return status === 'valid' && action !== 'none' ? (`will_${action}` as const) : status;
}

function toneOf({ status, action }: StagedRow): Tone {
  if (status !== 'valid') return tones[status];
  return action === 'update' ? 'info' : action === 'skip' ? 'quiet' : 'good';
}

/**
 * The fields in the order of the file; errors do not change it. A field without a column gets one at the end where a
 * row needs it. The order stays while rows are viewed and corrected.
 */
function useFields({ id, columns }: Import, rows: readonly StagedRow[]): readonly string[] {
  const wrong = rows.flatMap(({ errors }) => Object.keys(errors).map(plainField)).filter(isImportField);
  // An unconfirmed suggestion is not imported.
  const mapped = columns
    .filter(({ source }) => source !== 'suggested')
    .flatMap(({ field }) => (field === null ? [] : plainField(field)));
  return useStableOrder(String(id), [...mapped, ...wrong.toSorted()], rows.length > 0);
}

export type RowColumns = ReturnType<typeof useRowColumns>;

/** Called with a corrected row; undefined if the rows are read-only. */
type OnFixed = ((row: StagedRow) => void) | undefined;

/** The columns of the file and of the row's state, after the name and number of the row. */
export function useRowColumns(found: Import, rows: readonly StagedRow[], onFixed: OnFixed) {
  const kind = useImportKind();
  const names = useFieldName();
  const fields = useFields(found, rows);
  const { state, remarks, action, name } = useStateColumns(found, fields, onFixed);
  const cells = fields.map((field): Column<StagedRow> => ({
    id: field,
    header: isImportField(field) ? names(field) : field,
    cell: (row) => <GridCell id={found.id} row={row} field={field} onFixed={onFixed} />,
  }));
  const isNamed = found.status !== 'preview' && kind === people;
  const about = isNamed ? [...cells.filter(({ id }) => id === 'employee_number'), state] : [state, action];
  const others = isNamed ? cells.filter(({ id }) => !people.keyFields.includes(id)) : cells;
  const hasRemarks = rows.some(
    (row) => Object.keys(row.warnings).length > 0 || row.action === 'update' || hasOtherErrors(row, fields),
  );
  const all = [name, ...about, ...others, ...(hasRemarks ? [remarks] : [])];
  return { all, state, cells, remarks, action };
}

/** The columns with the state and remarks of a row, beside those of the file. */
function useStateColumns({ id, status }: Import, fields: readonly string[], onFixed: OnFixed) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const state: Column<StagedRow> = {
    id: 'status',
    header: t(status === 'preview' ? 'state' : 'happened'),
    cell: (row) => <StatusBadge tone={toneOf(row)} label={t(`rowStatus.${stateOf(row)}`)} />,
  };
  const remarks: Column<StagedRow> = {
    id: 'remarks',
    header: t('remarks'),
    cell: (row) => <Remarks row={row} fields={fields} />,
  };
  const action: Column<StagedRow> = {
    id: 'action',
    header: onFixed ? t('actions') : own('record'),
    headerHidden: true,
    cell: (row) => (onFixed ? <SkipRow id={id} row={row} onFixed={onFixed} /> : <ResultLink row={row} />),
  };
  const name: Column<StagedRow> = {
    id: 'name',
    header: t('name'),
    cell: (row) => (
      <div className={classes['name']}>
        <NameLink row={row} />
        <span className="numbers muted">{t('keptRow', { row: row.row })}</span>
      </div>
    ),
  };
  return { state, remarks, action, name };
}

const hasOtherErrors = ({ errors }: StagedRow, fields: readonly string[]) =>
  Object.keys(errors).some((field) => !fields.includes(plainField(field)));

/** The id of the record that a row created or updated. */
const recordOf = ({ status, subject_id }: StagedRow) => (['created', 'updated'].includes(status) ? subject_id : null);

/** The name of a row's record, with a link. */
function NameLink({ row }: { row: StagedRow }) {
  const { paths, nameFields } = useImportKind();
  const id = recordOf(row);
  const name = <bdi>{rowName(row, nameFields)}</bdi>;
  if (id === null || !paths.result) return name;
  return (
    <Link to={paths.result} params={{ id: String(id) }}>
      {name}
    </Link>
  );
}

function ResultLink({ row }: { row: StagedRow }) {
  const t = useTranslations('imports');
  const { paths } = useImportKind();
  const id = recordOf(row);
  if (id === null || !paths.result) return null;
  return (
    <Link to={paths.result} params={{ id: String(id) }}>
      {t('openPerson')}
      <span className="visually-hidden"> {row.key}</span>
    </Link>
  );
}
