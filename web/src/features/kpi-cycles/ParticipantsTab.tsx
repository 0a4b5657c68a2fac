import { Box, Button, NativeSelect } from '@mantine/core';
import { cycleBands, evaluationStatuses, kpiEvaluations, type KpiEvaluationRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Day } from '../../ui/Dates.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EvaluationStatus } from '../../workflow/EvaluationStatus.tsx';
import { PartOf } from '../../workflow/PartOf.tsx';
import { useResult } from '../../ui/use-percent.ts';
import { RowBox } from '../../ui/RowBox.tsx';
import { useSelected } from '../kpi-evaluations/bulk/use-selected.ts';
import { figuresInterval } from './polling.ts';
import type { CycleSearch, TabProps } from './search.ts';

const BulkBar = lazyPart(() => import('../kpi-evaluations/bulk/BulkBar.tsx'), 'BulkBar', 'kpi-evaluation-bulk');

const Moves = lazyPart(() => import('./moves/Moves.tsx'), 'Moves', 'kpi-cycle-moves');

const narrowing = ['search', 'status', 'department_id', 'reviewer_id', 'band', 'overdue'] as const;

const askedBy = (search: CycleSearch) =>
  Object.fromEntries(narrowing.flatMap((name) => (name in search ? [[name, search[name]]] : [])));
const isNarrowedBy = (search: CycleSearch) => narrowing.some((name) => name in search);

/** The evaluations of a cycle, filtered by the numbers that link here. Over 40 lines: one list with its states. */
export function ParticipantsTab({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const filters = { ...askedBy(search), cycle_id: String(cycle.id) };
  const query = useQuery({
    ...load(kpiEvaluations.list, { query: { ...filters, page: search.page ?? 1, sort_by: 'employee_name' } }),
    placeholderData: keepPreviousData,
    refetchInterval: figuresInterval(cycle),
  });
  const columns = useColumns();
  const { can } = useSession();
  const selected = useSelected(filters);
  const mayChange = can('kpi-evaluation.hr-review');
  const isNarrowed = isNarrowedBy(search);
  return (
    <>
      {cycle.status === 'published' && can('kpi-cycle.publish') && can('kpi-evaluation.force-close') && (
        <Suspense>
          <Moves cycleId={cycle.id} />
        </Suspense>
      )}
      <ParticipantFilters cycle={cycle} search={search} onChange={onChange} rows={query.data?.data ?? []} />
      <ListView
        query={query}
        label={t('tabs.participants')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(page) => onChange({ page })}
        {...(mayChange && {
          choice: {
            Box: RowBox,
            label: (row: KpiEvaluationRow) => t('select', { name: row.employee.name }),
            isOn: selected.isOn,
            onToggle: selected.toggle,
          },
        })}
        empty={
          isNarrowed ? (
            <Message title={t('nobodyFound')}>{t('noResultText')}</Message>
          ) : (
            <Message title={t('noEvaluations')}>{t('noEvaluationsText')}</Message>
          )
        }
      />
      {mayChange && selected.count > 0 && (
        <Suspense>
          <BulkBar selected={selected} total={query.data?.meta.total ?? 0} />
        </Suspense>
      )}
    </>
  );
}

const bandKeyOf = { A: 'a', B: 'b', C: 'c', D: 'd' } as const;

type FilterProps = TabProps & { rows: readonly KpiEvaluationRow[] };

function ParticipantFilters({ cycle, search, onChange, rows }: FilterProps) {
  const t = useTranslations('kpiCycles');
  const clear = () => onChange(Object.fromEntries(narrowing.map((name) => [name, undefined])));
  return (
    <Filters belowTabs>
      <SearchField
        label={t('searchPeople')}
        value={search.search}
        onChange={(text) => onChange({ search: text } as CycleSearch)}
      />
      <ResultFilters cycle={cycle} search={search} onChange={onChange} />
      {isNarrowedBy(search) && (
        <Button variant="subtle" onClick={clear}>
          {t('clear')}
        </Button>
      )}
      <Box flex={1} />
      <Button
        renderRoot={(props) => (
          <Link {...props} to={paths.kpiEvaluations} search={{ tab: 'all', cycle_id: cycle.id, ...askedBy(search) }} />
        )}
        variant="default"
      >
        {t('openInList')}
      </Button>
      <Narrowed rows={rows} search={search} />
    </Filters>
  );
}

function ResultFilters({ cycle: { bands }, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const tStatus = useTranslations('evaluationStatus');
  return (
    <>
      <NativeSelect
        aria-label={t('state')}
        value={search.status ?? ''}
        data={[
          { value: '', label: t('everyStatus') },
          ...evaluationStatuses.map((value) => ({ value, label: tStatus(value) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status: evaluationStatuses.find((one) => one === value) } as CycleSearch)
        }
      />
      <NativeSelect
        aria-label={t('band')}
        value={search.band ?? ''}
        data={[
          { value: '', label: t('everyBand') },
          ...cycleBands.map((value) => ({ value, label: t('bandIs', { band: bands[bandKeyOf[value]].name }) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ band: cycleBands.find((one) => one === value) } as CycleSearch)
        }
      />
    </>
  );
}

/** Shows active filters that have no input in the list. */
function Narrowed({ rows: [first], search }: { rows: readonly KpiEvaluationRow[]; search: CycleSearch }) {
  const t = useTranslations('kpiCycles');
  const parts = [
    search.department_id !== undefined && first?.department.name,
    search.reviewer_id !== undefined && first && (first.reviewer?.name ?? t('withoutReviewer')),
    search.overdue && t('overdue'),
  ].filter((part) => typeof part === 'string');
  if (parts.length === 0) return null;
  return <span className="muted">{t('onlyThese', { what: parts.join(', ') })}</span>;
}

function useColumns(): Column<KpiEvaluationRow>[] {
  const t = useTranslations('kpiCycles');
  const percent = useResult();
  return [
    {
      id: 'employee',
      header: t('person'),
      cell: ({ id, employee, part }) => (
        <>
          <Link to={paths.kpiEvaluation} params={{ id: String(id) }} className="record-link">
            <bdi>{employee.name}</bdi>
          </Link>{' '}
          <PartOf part={part} />
        </>
      ),
    },
    { id: 'department', header: t('department'), cell: ({ department }) => <bdi>{department.name}</bdi> },
    {
      id: 'reviewer',
      header: t('reviewer'),
      cell: ({ reviewer }) =>
        reviewer ? <bdi>{reviewer.name}</bdi> : <span className="muted">{t('withoutReviewer')}</span>,
    },
    { id: 'status', header: t('state'), cell: ({ status }) => <EvaluationStatus status={status} /> },
    { id: 'due', header: t('due'), cell: (row) => <Due row={row} /> },
    {
      id: 'result',
      header: t('result'),
      cell: ({ overall_percentage: value }) =>
        value === undefined || value === null ? (
          <span className="muted">–</span>
        ) : (
          <span className="numbers">{percent(value)}</span>
        ),
    },
  ];
}

const ended = new Set<string>(['completed', 'cancelled']);

function Due({ row: { due_on, today, status } }: { row: KpiEvaluationRow }) {
  const t = useTranslations('kpiCycles');
  if (due_on === null || ended.has(status)) return <span className="muted">–</span>;
  const isLate = due_on < today;
  if (!isLate) return <Day value={due_on} />;
  return (
    <Box component="span" c="var(--danger)">
      <Day value={due_on} /> {t('overdue')}
    </Box>
  );
}
