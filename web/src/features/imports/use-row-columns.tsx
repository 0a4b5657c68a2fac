import type { Import, StagedRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Column } from '../../ui/DataTable.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { isImportField, plainField } from './fields.ts';
import { GridCell } from './GridCell.tsx';
import { useImportKind } from './kinds.ts';
import { LeaveOut } from './LeaveOut.tsx';
import { Remarks } from './Remarks.tsx';

const tones: Record<StagedRow['status'], Tone> = {
  valid: 'good',
  failed: 'danger',
  created: 'good',
  updated: 'info',
  skipped: 'quiet',
  undone: 'quiet',
};

/** Before the commit a valid row says what will happen to it. */
function stateOf({ status, action, left_out }: StagedRow) {
  if (left_out) return 'left_out' as const;
  return status === 'valid' && action !== 'none' ? (`will_${action}` as const) : status;
}

function toneOf({ status, action }: StagedRow): Tone {
  if (status !== 'valid') return tones[status];
  return action === 'update' ? 'info' : action === 'skip' ? 'quiet' : 'good';
}

export type RowColumns = ReturnType<typeof useRowColumns>;

/**
 * The columns of the file, and what is said about a row. Those with errors in these rows come before the others, so
 * that what is wrong is seen without scrolling; a field that is wrong for want of a column gets one.
 */
export function useRowColumns(
  found: Import,
  rows: readonly StagedRow[],
  onFixed: ((row: StagedRow) => void) | undefined,
) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const own = useTranslations(`imports.${type}`);
  const names = useTranslations('importField');
  const wrong = rows.flatMap(({ errors }) => Object.keys(errors).map(plainField)).filter(isImportField);
  // A suggestion that nobody confirmed is not read from the file.
  const mapped = found.columns.filter(({ source }) => source !== 'suggested').flatMap(({ field }) => field ?? []);
  const fields = [...new Set([...wrong, ...mapped.map(plainField)])];
  const cells = fields.map((field): Column<StagedRow> => ({
    id: field,
    header: isImportField(field) ? names(field) : field,
    cell: (row) => <GridCell id={found.id} row={row} field={field} onFixed={onFixed} />,
  }));
  const state: Column<StagedRow> = {
    id: 'status',
    header: t('state'),
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
    quietHeader: true,
    cell: (row) => (onFixed ? <LeaveOut id={found.id} row={row} onFixed={onFixed} /> : <ResultLink row={row} />),
  };
  const number: Column<StagedRow> = {
    id: 'row',
    header: t('row'),
    cell: (row) => <span className="numbers muted">{row.row}</span>,
  };
  const hasRemarks = rows.some(
    (row) => Object.keys(row.warnings).length > 0 || row.action === 'update' || hasOtherErrors(row, fields),
  );
  return { all: [number, state, action, ...cells, ...(hasRemarks ? [remarks] : [])], state, cells, remarks, action };
}

const hasOtherErrors = ({ errors }: StagedRow, fields: readonly string[]) =>
  Object.keys(errors).some((field) => !fields.includes(plainField(field)));

function ResultLink({ row }: { row: StagedRow }) {
  const t = useTranslations('imports');
  const { paths } = useImportKind();
  const written = row.status === 'created' || row.status === 'updated';
  if (!written || row.subject_id === null) return null;
  return (
    <Link to={paths.result} params={{ id: String(row.subject_id) }}>
      {t('openPerson')}
      <span className="visually-hidden"> {row.key}</span>
    </Link>
  );
}
