import { ActionIcon, Box, Flex, Stack } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import {
  evaluationStatuses,
  kpiCycles,
  type CycleDepartment,
  type EvaluationStatus,
  type KpiCycle,
} from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import classes from './cycle.module.css';
import { figuresInterval } from './polling.ts';
import { ParticipantsLink } from './ParticipantsLink.tsx';
import type { TabProps } from './search.ts';
import { stageColour } from './stage-colours.ts';
import { SectionTitle } from '../../ui/SectionTitle.tsx';

/** The progress of each department, refetched while the page is open. */
export function Board({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const query = useQuery({
    ...load(kpiCycles.departments, {
      params: { id: cycle.id },
      query: { is_published: true, page: search.page ?? 1 },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: figuresInterval(cycle),
  });
  const columns = useBoardColumns(cycle);
  return (
    <Flex component="section" direction="column" gap={10}>
      <SectionTitle>{t('byDepartment')}</SectionTitle>
      <Legend />
      <ListView
        query={query}
        label={t('byDepartment')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(page) => onChange({ page })}
        empty={<Message title={t('noneHere')}>{t('noneHereText')}</Message>}
      />
    </Flex>
  );
}

function useBoardColumns(cycle: KpiCycle): Column<CycleDepartment>[] {
  const t = useTranslations('kpiCycles');
  const columns: Column<CycleDepartment>[] = [
    { id: 'name', header: t('department'), cell: (row) => <DepartmentName cycle={cycle} row={row} /> },
    { id: 'stages', header: t('stages'), cell: (row) => <StageBar row={row} /> },
    { id: 'completed', header: t('field.completed'), cell: (row) => <Completed row={row} /> },
    { id: 'overdue', header: t('overdue'), cell: (row) => <Overdue cycleId={cycle.id} row={row} /> },
  ];
  if (!cycle.allowed_actions.includes('remind')) return columns;
  const cell = (row: CycleDepartment) => <RemindButton cycleId={cycle.id} row={row} />;
  return [...columns, { id: 'remind', header: t('do.remind'), headerHidden: true, cell }];
}

const DepartmentName = ({ cycle, row: { department, entity } }: { cycle: KpiCycle; row: CycleDepartment }) => (
  <Stack gap={0} align="flex-start" lh={1.35}>
    <ParticipantsLink cycleId={cycle.id} filters={{ department_id: department.id }} className="record-link">
      <bdi>{department.name}</bdi>
    </ParticipantsLink>
    {cycle.entity === null && <bdi className="muted small">{entity.name}</bdi>}
  </Stack>
);

function RemindButton({ cycleId, row: { department, department_id } }: { cycleId: number; row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  const navigate = useNavigate();
  const remind = () =>
    void navigate({ to: paths.kpiCycle, params: { id: String(cycleId) }, search: { do: 'remind', department_id } });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      aria-label={t('remindDepartment', { name: department.name })}
      onClick={remind}
    >
      <IconBell size={17} aria-hidden />
    </ActionIcon>
  );
}

const countOf = ({ by_status: counts }: CycleDepartment, status: EvaluationStatus) => counts[status] ?? 0;

function Completed({ row }: { row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  const total = row.evaluations_count - countOf(row, 'cancelled');
  return <span className="numbers">{t('completedOf', { completed: countOf(row, 'completed'), total })}</span>;
}

function Overdue({ cycleId, row: { overdue, department_id } }: { cycleId: number; row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  if (overdue === 0) return <span className="muted">{t('onTime')}</span>;
  return (
    <ParticipantsLink cycleId={cycleId} filters={{ department_id, overdue: true }} className={classes['late']}>
      {t('overdueCount', { count: overdue })}
    </ParticipantsLink>
  );
}

/** A department's stages as segments of a bar, with text alternatives. */
function StageBar({ row }: { row: CycleDepartment }) {
  const t = useTranslations('kpiCycles');
  const tStatus = useTranslations('evaluationStatus');
  const present = evaluationStatuses.filter((status) => countOf(row, status) > 0);
  if (present.length === 0) return <span className="muted">{t('noEvaluations')}</span>;
  const text = present
    .map((status) => t('countIn', { count: countOf(row, status), status: tStatus(status) }))
    .join(', ');
  return (
    <Flex
      className={classes['stageBar']}
      pos="relative"
      gap={2}
      miw="8rem"
      h={10}
      style={{ borderRadius: 5, overflow: 'hidden' }}
      title={text}
    >
      <span className="visually-hidden">{text}</span>
      {present.map((status) => (
        <span key={status} style={{ ...stageColour(status), flexGrow: countOf(row, status) }} aria-hidden />
      ))}
    </Flex>
  );
}

function Legend() {
  const tStatus = useTranslations('evaluationStatus');
  return (
    <Flex component="ul" wrap="wrap" gap="4px 14px" c="var(--ink-2)" fz="0.7813rem" aria-hidden>
      {evaluationStatuses.map((status) => (
        <Flex component="li" key={status} align="center" gap={6}>
          <Box component="span" w={9} h={9} bdrs={3} bg="var(--stage)" style={stageColour(status)} />
          {tStatus(status)}
        </Flex>
      ))}
    </Flex>
  );
}
