import { Box, Button, Flex, Group, Skeleton, Stack } from '@mantine/core';
import { IconHistory, IconUserSearch } from '@tabler/icons-react';
import { employees, entities } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { today } from '../../ui/time-served.ts';
import { usePhone } from '../../ui/use-phone.ts';
import classes from './OrgChart.module.css';
import { modes, views, type OrgChartSearch, type View } from './search.ts';
import { keyOf, type ChartItem } from './tree.ts';
import { useChart, type Chart } from './use-chart.ts';

const route = getRouteApi('/shell/org-chart');
const PersonPicker = lazyPart(() => import('../../ui/PersonPicker.tsx'), 'PersonPicker');
const RecordSelect = lazyPart(() => import('../../ui/RecordSelect.tsx'), 'RecordSelect');
const Outline = lazyPart(() => import('./Outline.tsx'), 'Outline');
const NodeDrawer = lazyPart(() => import('./NodeDrawer.tsx'), 'NodeDrawer', 'org-chart-node');
const ChartActions = lazyPart(() => import('./ChartActions.tsx'), 'ChartActions');
const OwnBranch = lazyPart(() => import('../directory/OwnBranch.tsx'), 'OwnBranch', 'directory');
const OutsideNotice = lazyPart(() => import('./OutsideNotice.tsx'), 'OutsideNotice');
const ChartAsOf = lazyPart(() => import('./ChartAsOf.tsx'), 'ChartAsOf', 'as-of');
const Canvas = lazyPart(() => import('./Canvas.tsx'), 'Canvas');

type Change = { [K in keyof OrgChartSearch]?: OrgChartSearch[K] | undefined };

/** The whole chart; for users who may see no other records, their own part of it from the directory. */
export function OrgChartPage() {
  const { user, hasDirectory, seesOthers } = useSession();
  const own = user?.employee_id ?? null;
  if (!hasDirectory || seesOthers || own === null) return <WholeChart />;
  return (
    <Suspense>
      <OwnBranch id={own} />
    </Suspense>
  );
}

/** The organisation chart by manager or by department, as cards on a canvas or as an outline. */
function WholeChart() {
  const search = route.useSearch();
  const phone = usePhone();
  const chart = useChart(search);
  const view = search.view ?? (phone ? 'outline' : 'chart');
  const { change, show, open, close } = useChartNavigation(chart);
  const { error } = chart.top;
  if (error?.status === 403) return <ErrorState page error={error} onRetry={() => void chart.top.refetch()} />;
  return (
    <>
      <Header entityId={search.entity_id} day={search.as_of}>
        <Suspense fallback={null}>
          <ChartActions forest={chart.forest} onCloseAll={chart.open.closeAll} />
        </Suspense>
      </Header>
      {search.as_of && (
        <Suspense fallback={null}>
          <ChartAsOf day={search.as_of} onDay={(as_of) => change({ as_of })} />
        </Suspense>
      )}
      <Tools search={search} view={view} onChange={change} onShow={show} />
      <output>
        {chart.isOutside && (
          <Suspense>
            <OutsideNotice onClear={() => change({ focus: undefined, entity_id: undefined })} />
          </Suspense>
        )}
      </output>
      <Flex className={classes['screen']} direction="column" flex={1} mih="22rem" pos="relative">
        <Shown
          key={`${chart.by} ${search.entity_id} ${search.as_of}`}
          chart={chart}
          view={view}
          focus={search.focus}
          onOpen={open}
        />
      </Flex>
      <Suspense>
        <NodeDrawer
          person={search.person}
          department={search.department}
          items={chart.rows}
          day={search.as_of}
          onClose={close}
          onFocus={show}
        />
      </Suspense>
    </>
  );
}

/** The chart's state in the address, and its changes. */
function useChartNavigation(chart: Chart) {
  const navigate = route.useNavigate();
  const change = (patch: Change) => void navigate({ search: (old) => ({ ...old, ...patch }) as OrgChartSearch });
  const show = (focus: number | undefined) => {
    chart.open.reset();
    change({ focus, person: undefined, department: undefined });
  };
  const open = ({ kind, id }: ChartItem) =>
    change({ person: kind === 'employee' ? id : undefined, department: kind === 'department' ? id : undefined });
  const close = () => change({ person: undefined, department: undefined });
  return { change, show, open, close };
}

type HeaderProps = { entityId: number | undefined; day: string | undefined; children: React.ReactNode };

/** The number of people, with a link to their list. */
function Header({ entityId, day, children }: HeaderProps) {
  const t = useTranslations('orgChart');
  const people = day ? { as_of: day } : ({ activity_status: 'active' } as const);
  const filter = { ...people, ...(entityId !== undefined && { entity_id: entityId }) };
  const count = useQuery(load(employees.list, { query: { ...filter, per_page: 1 } })).data?.meta.total;
  const lead = count !== undefined && (
    <Link to={paths.employees} search={filter}>
      {t('people', { count })}
    </Link>
  );
  return (
    <PageHeader title={t('title')} lead={lead}>
      {children}
    </PageHeader>
  );
}

type ToolsProps = {
  search: OrgChartSearch;
  view: View;
  onChange: (change: Change) => void;
  onShow: (personId: number | undefined) => void;
};

function Tools({ search, view, onChange, onShow }: ToolsProps) {
  const t = useTranslations('orgChart');
  const { can } = useSession();
  const phone = usePhone();
  return (
    <Flex className={classes['screen']} wrap="wrap" align="center" gap={8} px="gutter" pb={14} style={ruled}>
      <Box flex={phone ? '1 1 100%' : '1 1 14rem'} miw="12rem" {...(!phone && { maw: '22rem' })}>
        <Suspense fallback={<Skeleton height={36} />}>
          <PersonPicker label={t('find')} labelled={false} value={search.focus} onChange={onShow} />
        </Suspense>
      </Box>
      <FindMe focus={search.focus} onShow={onShow} />
      {can('entities.view') && (
        <Box flex={phone ? 1 : '0 1 13rem'} miw="9rem">
          <Suspense fallback={<Skeleton height={36} />}>
            <RecordSelect
              label={t('everyCompany')}
              list={entities.list}
              value={search.entity_id}
              onChange={(entity_id) => onChange({ entity_id })}
            />
          </Suspense>
        </Box>
      )}
      {search.as_of === undefined && (
        <Button
          variant="default"
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={() => onChange({ as_of: today() })}
        >
          {t('asOf')}
        </Button>
      )}
      {phone ? (
        <Looks search={search} view={view} onChange={onChange} />
      ) : (
        // these two wrap together
        <Group gap={8} ms="auto">
          <Looks search={search} view={view} onChange={onChange} />
        </Group>
      )}
    </Flex>
  );
}

/** How the chart is built and shown. */
function Looks({ search, view, onChange }: Omit<ToolsProps, 'onShow'>) {
  const t = useTranslations('orgChart');
  return (
    <>
      <Pills
        label={t('by')}
        options={modes.map((value) => ({ value, label: t(`mode.${value}`) }))}
        value={search.by ?? 'manager'}
        onChange={(by) => onChange({ by })}
      />
      <Pills
        label={t('view')}
        options={views.map((value) => ({ value, label: t(`as.${value}`) }))}
        value={view}
        onChange={(next) => onChange({ view: next })}
      />
    </>
  );
}

const ruled = { borderBlockEnd: '1px solid var(--line)' };

function FindMe({ focus, onShow }: { focus: number | undefined; onShow: (personId: number) => void }) {
  const t = useTranslations('orgChart');
  const own = useSession().user?.employee_id;
  if (typeof own !== 'number') return null;
  return (
    <Button
      variant="default"
      leftSection={<IconUserSearch size={16} aria-hidden />}
      onClick={() => onShow(own)}
      aria-pressed={focus === own}
    >
      {t('findMe')}
    </Button>
  );
}

type ShownProps = { chart: Chart; view: View; focus: number | undefined; onOpen: (item: ChartItem) => void };

function Shown({ chart, view, focus, onOpen }: ShownProps) {
  const { top, forest, rows, open, retry } = chart;
  if (top.isPending) return <ChartSkeleton />;
  if (failedWithoutData(top)) return <ErrorState error={top.error} onRetry={() => void top.refetch()} />;
  if (forest.length === 0) return <Nobody />;
  const key = focus === undefined ? undefined : keyOf('employee', focus);
  const props = { forest, rows, focus: key, onToggle: open.toggle, onOpen, onRetry: retry };
  return (
    <Suspense fallback={<ChartSkeleton />}>
      {view === 'outline' ? <Outline {...props} /> : <Canvas {...props} isFinding={chart.isFinding} />}
    </Suspense>
  );
}

function Nobody() {
  const t = useTranslations('orgChart');
  const { entity_id, as_of } = route.useSearch();
  const isAll = entity_id === undefined && as_of === undefined;
  if (!useSession().can('employees.create') || !isAll) return <Message title={t('nobody')}>{t('nobodyText')}</Message>;
  const add = (
    <Button component={Link} to={paths.newEmployee}>
      {t('addEmployee')}
    </Button>
  );
  return (
    <Message title={t('nobody')} actions={add}>
      {t('nobodyYet')}
    </Message>
  );
}

function ChartSkeleton() {
  const t = useTranslations('table');
  return (
    <Stack gap={20} px={24} py={22}>
      <output className="visually-hidden">{t('loading')}</output>
      {Array.from({ length: 8 }, (_, line) => (
        <Flex key={line} align="center" gap={12} ps={line === 0 ? 0 : 28} aria-hidden>
          <Skeleton circle height={32} />
          <Skeleton height={10} width={`${14 + ((line * 5) % 9)}%`} />
        </Flex>
      ))}
    </Stack>
  );
}
