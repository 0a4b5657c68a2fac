import type { Dashboard } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { failedWithoutData } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { CycleBlock } from '../../figures/CycleBlock.tsx';
import { StructureBlock } from '../../figures/StructureBlock.tsx';
import { useLinks } from '../../figures/use-links.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Choices, hasChoices } from './Choices.tsx';
import { OpenTasks } from './OpenTasks.tsx';
import { OwnCard } from './OwnCard.tsx';
import type { Part } from './parts.ts';
import { PeopleBlock } from './PeopleBlock.tsx';
import { ProbationBlock } from './ProbationBlock.tsx';
import { QualityBlock } from './QualityBlock.tsx';
import type { HomeSearch } from './search.ts';
import { Steps } from './Steps.tsx';
import { Colleagues, Reports } from './TeamBlock.tsx';
import type { Home } from './use-home.ts';
import { useSteps } from './use-steps.ts';

/** The parts of the page with their content. */
export function useParts(home: Home, search: HomeSearch): Part[] {
  const figures = useFigures(home, search);
  return [...usePersonal(home), ...figures];
}

/** What is about the user: tasks, quick actions, the own record and the team. */
function usePersonal({ figures, tasks, own, team, branch, companies }: Home): Part[] {
  const data = figures.data?.data;
  const steps = useSteps(companies.data?.meta.total);
  const { employee } = own.data?.data ?? {};
  const cards = branch.data?.data;
  return [
    {
      name: 'tasks',
      place: 'main',
      isReady: !tasks.isPending && !figures.isPending,
      content: <OpenTasks query={tasks} counts={data?.my_work} />,
    },
    {
      name: 'actions',
      place: 'side',
      isReady: !companies.isLoading && !figures.isPending,
      content: steps.length > 0 && (
        <Steps steps={steps} noCompany={companies.data?.meta.total === 0} people={data?.headcount?.total} />
      ),
    },
    {
      name: 'me',
      place: 'side',
      isReady: !own.isLoading && !figures.isPending,
      content: employee && <OwnCard own={employee} me={data?.me} />,
    },
    {
      name: 'team',
      place: 'whole',
      isReady: !team.isLoading && !branch.isLoading,
      content: team.data?.data.length ? <Reports page={team.data} /> : cards && <Colleagues branch={cards} />,
    },
  ];
}

const route = getRouteApi('/shell/');

/** The figures, below the filters of them all. */
function useFigures({ figures }: Home, search: HomeSearch): Part[] {
  const data = figures.data?.data;
  const navigate = route.useNavigate();
  const whole = { place: 'whole', isReady: !figures.isPending } as const;
  const blocks = useBlocks(data, search);
  const failed = failedWithoutData(figures) && (
    <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />
  );
  const choices = data?.headcount !== undefined && hasChoices(data.filters) && (
    <Choices
      choices={data.filters}
      search={search}
      onChange={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }) })}
    />
  );
  return [
    { name: 'choices', content: failed || choices, ...whole },
    ...blocks.map((block) => ({ ...block, ...whole })),
  ];
}

/** The blocks of figures; what the user may not see is absent. */
function useBlocks(data: Dashboard | undefined, search: HomeSearch): Pick<Part, 'name' | 'content'>[] {
  const links = useLinks(search);
  const { can } = useSession();
  if (!data) return [];
  const today = data.my_work.as_of.slice(0, 10);
  const { headcount, kpi_cycle: cycle, probation, data_quality: gaps } = data;
  return [
    { name: 'people', content: headcount && <PeopleBlock data={data} search={search} links={links} /> },
    {
      name: 'structure',
      content: can('dashboard.view_all') && <StructureBlock data={data} today={today} links={links} />,
    },
    { name: 'cycle', content: cycle && cycle.total > 0 && <CycleBlock summary={cycle} links={links} /> },
    { name: 'probation', content: probation && <ProbationBlock probation={probation} today={today} links={links} /> },
    { name: 'quality', content: gaps && <QualityBlock gaps={gaps} cycleId={search.cycle_id} links={links} /> },
  ];
}
