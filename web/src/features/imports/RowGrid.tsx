import { employeeImports, type Import, type StagedRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { isImportField, plainField } from './fields.ts';
import { GridCell } from './GridCell.tsx';
import classes from './imports.module.css';
import type { ImportSearch } from './search.ts';

const route = getRouteApi('/shell/imports/$id');

type Change = { [K in keyof ImportSearch]?: ImportSearch[K] | undefined };

const tones: Record<StagedRow['status'], Tone> = {
  valid: 'good',
  failed: 'danger',
  created: 'good',
  updated: 'info',
  skipped: 'quiet',
  undone: 'quiet',
};

/** The rows of the file; where `editable`, a cell is mended in place and its row checked at once. */
export function RowGrid({ found, editable = false }: { found: Import; editable?: boolean }) {
  const t = useTranslations('imports');
  const { page, rows, search } = route.useSearch();
  const navigate = route.useNavigate();
  const [announcement, setAnnouncement] = useState('');
  const shown = rows ?? (found.counts.failed > 0 ? 'failed' : 'all');
  const query = useQuery({
    ...load(employeeImports.rows, {
      params: { id: found.id },
      query: { page, search, ...(shown === 'failed' && { status: 'failed' }) },
    }),
    placeholderData: keepPreviousData,
    // What was read while the service was still at work says nothing about the result.
    staleTime: 0,
  });
  const go = (patch: Change) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...patch }) as ImportSearch });
  const mended = (row: StagedRow) =>
    setAnnouncement(t(row.status === 'failed' ? 'rowStillFails' : 'rowMended', { row: row.row }));
  const first = shown === 'failed' ? (query.data?.data ?? []).flatMap((row) => Object.keys(row.errors)) : [];
  const columns = useColumns(found, first, editable ? mended : undefined);
  return (
    <>
      <div className={classes['rowTools']}>
        <Pills
          label={t('rowsShown')}
          options={[
            { value: 'all', label: t('allRows', { count: found.counts.total }) },
            { value: 'failed', label: t('failedRows', { count: found.counts.failed }) },
          ]}
          value={shown}
          onChange={(value) => go({ rows: value })}
        />
        <SearchField label={t('searchRows')} value={search} onChange={(text) => go({ search: text })} />
        <output className="muted">{announcement}</output>
      </div>
      <ListView
        query={query}
        label={t('rows')}
        columns={columns}
        rowKey={(row) => row.row}
        onPage={(next) => go({ page: next })}
        empty={<Message title={t(shown === 'failed' ? 'noFailedRows' : 'noRows')} />}
      />
    </>
  );
}

/** The columns of the file; those in `first` before the others, so that what is wrong is seen without scrolling. */
function useColumns(
  found: Import,
  first: readonly string[],
  onMended: ((row: StagedRow) => void) | undefined,
): Column<StagedRow>[] {
  const t = useTranslations('imports');
  const names = useTranslations('importField');
  // A suggestion that nobody confirmed is not read from the file.
  const mapped = found.columns.filter(({ source }) => source !== 'suggested').flatMap(({ field }) => field ?? []);
  const known = new Set(mapped.map(plainField));
  const fields = [...new Set([...first.map(plainField).filter((field) => known.has(field)), ...known])];
  return [
    { id: 'row', header: t('row'), cell: (row) => <span className="numbers">{row.row}</span> },
    {
      id: 'status',
      header: t('state'),
      cell: (row) => <StatusBadge tone={tones[row.status]} label={t(`rowStatus.${stateOf(row)}`)} />,
    },
    ...fields.map((field) => ({
      id: field,
      header: isImportField(field) ? names(field) : field,
      cell: (row: StagedRow) => <GridCell id={found.id} row={row} field={field} onMended={onMended} />,
    })),
    { id: 'other', header: t('remarks'), cell: (row) => <Remarks row={row} fields={fields} /> },
    { id: 'person', header: t('person'), quietHeader: true, cell: (row) => <PersonLink row={row} /> },
  ];
}

/** Before the commit a valid row says what will happen to it. */
const stateOf = ({ status, action }: StagedRow) =>
  status === 'valid' && action !== 'none' ? (`will_${action}` as const) : status;

/** Messages that belong to no shown cell, and warnings. */
function Remarks({ row, fields }: { row: StagedRow; fields: readonly string[] }) {
  const errors = Object.entries(row.errors).filter(([field]) => !fields.includes(plainField(field)));
  const texts = [...errors, ...Object.entries(row.warnings)].flatMap(([, messages]) => messages);
  if (texts.length === 0) return null;
  return (
    <ul className={classes['remarks']}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function PersonLink({ row }: { row: StagedRow }) {
  const t = useTranslations('imports');
  const written = row.status === 'created' || row.status === 'updated';
  if (!written || row.subject_id === null) return null;
  return (
    <Link to={paths.employee} params={{ id: String(row.subject_id) }}>
      {t('openPerson')}
      <span className="visually-hidden"> {row.key}</span>
    </Link>
  );
}
