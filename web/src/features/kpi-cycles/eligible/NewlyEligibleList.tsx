import { Box, Button, Group } from '@mantine/core';
import { kpiCycleNewcomers, maxCyclePeople, type KpiCycle, type NewlyEligible } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { RowBox } from '../../../ui/RowBox.tsx';
import type { TabProps } from '../search.ts';

const AddPeople = lazyPart(() => import('../mend/AddPeople.tsx'), 'AddPeople', 'kpi-cycle-mend');
const LeaveOut = lazyPart(() => import('./LeaveOut.tsx'), 'LeaveOut', 'kpi-cycle-eligible');

type Decision = { what: 'add' | 'leaveOut'; rows: readonly NewlyEligible[] };

/** The people to decide about, one by one or several at once. */
export function NewlyEligibleList({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycleEligible');
  const [selected, setSelected] = useState<readonly NewlyEligible[]>([]);
  const [decision, setDecision] = useState<Decision>();
  const query = useQuery({
    ...load(kpiCycleNewcomers.newlyEligible, {
      params: { id: cycle.id },
      query: { search: search.search, page: search.page ?? 1 },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(setDecision);
  const without = (rows: readonly NewlyEligible[]) =>
    selected.filter((one) => rows.every(({ employee }) => employee.id !== one.employee.id));
  return (
    <>
      <ListView
        query={query}
        label={t('new')}
        columns={columns}
        rowKey={(row) => row.employee.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(page) => onChange({ page })}
        choice={{
          Box: RowBox,
          label: (row) => t('select', { name: row.employee.name }),
          isOn: (row) => selected.some(({ employee }) => employee.id === row.employee.id),
          onToggle: (rows, on) => setSelected([...without(rows), ...(on ? rows : [])]),
        }}
        empty={
          <Message title={search.search ? t('noneFound') : t('none')}>
            {search.search ? t('noneFoundText') : t('noneText')}
          </Message>
        }
      />
      {selected.length > 0 && <SelectedBar rows={selected} onDecide={setDecision} onClear={() => setSelected([])} />}
      <Decide
        cycle={cycle}
        decision={decision}
        onDone={(rows) => setSelected(without(rows))}
        onClose={() => setDecision(undefined)}
      />
    </>
  );
}

type BarProps = {
  rows: readonly NewlyEligible[];
  onDecide: (decision: Decision) => void;
  onClear: () => void;
};

/** The actions of HR on the selected people. */
function SelectedBar({ rows, onDecide, onClear }: BarProps) {
  const t = useTranslations('kpiCycleEligible');
  const isTooMuch = rows.length > maxCyclePeople;
  return (
    <Group
      gap={8}
      px="gutter"
      py={8}
      bg="var(--accent-soft)"
      style={{ borderBlockStart: '1px solid var(--line)' }}
      aria-label={t('selection')}
      renderRoot={(props) => <section {...props} />}
    >
      <Box component="output" me={8} fw={600}>
        {t('selected', { count: rows.length })}
      </Box>
      {(['add', 'leaveOut'] as const).map((what) => (
        <Button
          key={what}
          variant="default"
          size="compact-sm"
          disabled={isTooMuch}
          onClick={() => onDecide({ what, rows })}
        >
          {t(what)}
        </Button>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {t('clear')}
      </Button>
      {isTooMuch && <span role="alert">{t('limit', { most: maxCyclePeople })}</span>}
    </Group>
  );
}

type DecideProps = {
  cycle: KpiCycle;
  decision: Decision | undefined;
  onDone: (rows: readonly NewlyEligible[]) => void;
  onClose: () => void;
};

function Decide({ cycle, decision, onDone, onClose }: DecideProps) {
  if (!decision) return null;
  const { what, rows } = decision;
  const people = rows.map(({ employee: { id, name }, entity_id }) => ({ id, name, entity_id }));
  const Dialog = what === 'add' ? AddPeople : LeaveOut;
  return (
    <Suspense>
      <Dialog cycle={cycle} people={people} onDone={() => onDone(rows)} onClose={onClose} />
    </Suspense>
  );
}

function useColumns(onDecide: (decision: Decision) => void): Column<NewlyEligible>[] {
  const t = useTranslations('kpiCycleEligible');
  return [
    {
      id: 'employee',
      header: t('employee'),
      cell: ({ employee }) => (
        <Link to={paths.employee} params={{ id: String(employee.id) }} className="record-link">
          <bdi>{employee.name}</bdi>
        </Link>
      ),
    },
    { id: 'department', header: t('department'), cell: ({ department }) => <bdi>{department.name}</bdi> },
    { id: 'cause', header: t('cause'), cell: (row) => <Cause row={row} /> },
    {
      id: 'template',
      header: t('template'),
      cell: ({ template }) => <bdi>{template?.name ?? '–'}</bdi>,
    },
    {
      id: 'reviewer',
      header: t('reviewer'),
      cell: ({ reviewer }) =>
        reviewer ? <bdi>{reviewer.name}</bdi> : <span className="muted">{t('withoutReviewer')}</span>,
    },
    { id: 'decide', header: t('decide'), cell: (row) => <RowButtons row={row} onDecide={onDecide} /> },
  ];
}

function Cause({ row: { cause, since } }: { row: NewlyEligible }) {
  const t = useTranslations('kpiCycleEligible');
  if (cause === null) return <span className="muted">–</span>;
  return (
    <>
      {t(`causes.${cause}`)} {since !== null && <Day value={since} />}
    </>
  );
}

function RowButtons({ row, onDecide }: { row: NewlyEligible; onDecide: (decision: Decision) => void }) {
  const t = useTranslations('kpiCycleEligible');
  const { name } = row.employee;
  return (
    <Group gap={6}>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('addOf', { name })}
        onClick={() => onDecide({ what: 'add', rows: [row] })}
      >
        {t('add')}
      </Button>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={t('leaveOutOf', { name })}
        onClick={() => onDecide({ what: 'leaveOut', rows: [row] })}
      >
        {t('leaveOut')}
      </Button>
    </Group>
  );
}
