import type { Dashboard } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { failedWithoutData } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { CycleBlock } from '../../figures/CycleBlock.tsx';
import { StructureBlock } from '../../figures/StructureBlock.tsx';
import { useLinks } from '../../figures/use-links.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { AnnouncementsBlock } from './AnnouncementsBlock.tsx';
import { orderOf, type Arrangement } from './arrangement.ts';
import { Choices, hasChoices } from './Choices.tsx';
import { ColleaguesBlock, hasColleagues } from './ColleaguesBlock.tsx';
import { OpenTasks } from './OpenTasks.tsx';
import { OwnCard } from './OwnCard.tsx';
import type { Part } from './parts.ts';
import { PeopleBlock } from './PeopleBlock.tsx';
import { ProbationBlock } from './ProbationBlock.tsx';
import { QualityBlock } from './QualityBlock.tsx';
import type { HomeSearch } from './search.ts';
import { Steps } from './Steps.tsx';
import { Colleagues, hasTeam, Reports } from './TeamBlock.tsx';
import type { Home } from './use-home.ts';
import { useSteps } from './use-steps.ts';

/** The parts of the page in the standard order, with their content. */
export function useParts(home: Home, search: HomeSearch): Part[] {
  const news = useNews(home);
  const personal = usePersonal(home);
  const figures = useFigures(home, search);
  return [...news, ...personal, ...figures];
}

/**
 * The parts as the user arranged them, without hidden ones. The filters stay above the first part with figures.
 */
export function arranged(parts: readonly Part[], arrangement: Arrangement): Part[] {
  const { hidden = [] } = arrangement;
  const names = orderOf(arrangement).filter((name) => !hidden.includes(name));
  const shown = names.flatMap((name) => parts.find((part) => part.name === name) ?? []);
  const first = shown.findIndex(({ name }) => isFigure(name));
  const filters = parts.filter(({ name }) => name === 'filters');
  return first === -1 ? shown : shown.toSpliced(first, 0, ...filters);
}

const figureNames: readonly Part['name'][] = ['people', 'structure', 'cycle', 'probation', 'quality'];
const isFigure = (name: Part['name']) => figureNames.includes(name);

/** News: announcements and colleagues. */
function useNews({ news, own }: Home): Part[] {
  const { hasDirectory } = useSession();
  const data = news.data?.data;
  return [
    {
      name: 'announcements',
      place: 'main',
      isOffered: true,
      isReady: !news.isPending,
      content: data && data.announcements.length > 0 && <AnnouncementsBlock shown={data.announcements} />,
    },
    {
      name: 'colleagues',
      place: 'side',
      isOffered: Boolean(own.data?.data.employee) && (hasDirectory || (data !== undefined && hasColleagues(data))),
      isReady: !news.isPending,
      content: data && hasColleagues(data) && <ColleaguesBlock news={data} />,
    },
  ];
}

/** The user's own parts: tasks, quick actions, record and team. */
function usePersonal({ figures, tasks, own, team, branch, companies }: Home): Part[] {
  const data = figures.data?.data;
  const steps = useSteps(companies.data?.meta.total);
  const { employee } = own.data?.data ?? {};
  const isPerson = Boolean(employee);
  const cards = branch.data?.data;
  return [
    {
      name: 'tasks',
      place: 'main',
      isOffered: true,
      isReady: !tasks.isPending && !figures.isPending,
      content: <OpenTasks query={tasks} counts={data?.my_work} />,
    },
    {
      name: 'actions',
      place: 'side',
      isOffered: steps.length > 0,
      isReady: !companies.isLoading && !figures.isPending,
      content: steps.length > 0 && (
        <Steps steps={steps} noCompany={companies.data?.meta.total === 0} people={data?.headcount?.total} />
      ),
    },
    {
      name: 'me',
      place: 'side',
      isOffered: isPerson,
      isReady: !own.isLoading && !figures.isPending,
      content: employee ? <OwnCard own={employee} me={data?.me} /> : null,
    },
    {
      name: 'team',
      place: 'main',
      isOffered: isPerson,
      isReady: !team.isLoading && !branch.isLoading,
      content: team.data?.data.length ? <Reports page={team.data} /> : hasTeam(cards) && <Colleagues branch={cards} />,
    },
  ];
}

const route = getRouteApi('/shell/');

/** The figures, and their common filters. */
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
    { name: 'filters', content: failed || choices, isOffered: false, ...whole },
    ...blocks.map((block) => ({ ...block, ...whole, isOffered: Boolean(block.content) })),
  ];
}

/** The blocks of figures; those that the user may not see are absent. */
function useBlocks(data: Dashboard | undefined, search: HomeSearch): Pick<Part, 'name' | 'content'>[] {
  const links = useLinks(search);
  const { can } = useSession();
  // without data, the blocks are empty, so that the filters or the error already have their place
  if (!data) return figureNames.map((name) => ({ name, content: null }));
  const { today, headcount, kpi_cycle: cycle, probation, data_quality: gaps } = data;
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
