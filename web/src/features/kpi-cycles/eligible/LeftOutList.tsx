import { Button } from '@mantine/core';
import { kpiCycleNewcomers, type LeftOut } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import type { Column } from '../../../ui/DataTable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import type { TabProps } from '../search.ts';

/** The people whom HR left out, with the reason; the decision can be undone. */
export function LeftOutList({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycleEligible');
  const query = useQuery({
    ...load(kpiCycleNewcomers.leftOut, {
      params: { id: cycle.id },
      query: { search: search.search, page: search.page ?? 1 },
    }),
    placeholderData: keepPreviousData,
  });
  const { undo, error, pending } = useUndo(cycle.id);
  const columns = useColumns(undo, pending);
  return (
    <>
      <ErrorNotice error={error} />
      <ListView
        query={query}
        label={t('out')}
        columns={columns}
        rowKey={(row) => row.employee.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(page) => onChange({ page })}
        empty={
          <Message title={search.search ? t('noneFound') : t('noneOut')}>
            {search.search ? t('noneFoundText') : t('noneOutText')}
          </Message>
        }
      />
    </>
  );
}

function useUndo(id: number) {
  const t = useTranslations('kpiCycleEligible');
  const toast = useToast();
  const send = useSend(kpiCycleNewcomers.undo);
  const undo = ({ employee }: LeftOut) =>
    send.mutate(
      { params: { id, employeeId: employee.id } },
      { onSuccess: () => toast({ text: t('undone', { name: employee.name }) }) },
    );
  return { undo, error: send.error, pending: send.isPending ? send.variables.params.employeeId : undefined };
}

function useColumns(undo: (row: LeftOut) => void, pending: number | undefined): Column<LeftOut>[] {
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
    { id: 'department', header: t('department'), cell: ({ department }) => <bdi>{department?.name ?? '–'}</bdi> },
    { id: 'reason', header: t('reason'), cell: ({ reason }) => <bdi>{reason}</bdi> },
    { id: 'by', header: t('decidedBy'), cell: ({ decided_by: { name } }) => <bdi>{name}</bdi> },
    { id: 'at', header: t('decidedAt'), cell: ({ decided_at: at }) => <Moment value={at} /> },
    {
      id: 'decide',
      header: t('decide'),
      cell: (row) =>
        row.allowed_actions.includes('delete') ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('undoOf', { name: row.employee.name })}
            loading={pending === row.employee.id}
            onClick={() => undo(row)}
          >
            {t('undo')}
          </Button>
        ) : (
          <span className="muted">–</span>
        ),
    },
  ];
}
