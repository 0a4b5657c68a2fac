import type { DirectoryCard, Permission, Reply, search } from '@tenure/contract';
import { IconHelpCircle, IconPlus, IconUserPlus } from '@tabler/icons-react';
import { paths } from '../../paths.ts';
import { openHelp } from '../help/open-help.ts';
import { navigationFor } from '../navigation.ts';

/** An entry of the palette. */
export type Target = {
  /** The kind of entry; also its group in the list. */
  kind: 'recent' | 'pages' | 'actions' | 'people' | 'colleagues' | 'departments' | 'cycles' | 'templates';
  url: string;
  label: string;
  sublabel?: string | null | undefined;
  /** The person's id, for the initials beside the name. */
  person?: number;
  icon?: typeof IconPlus;
  /** The action to run instead of opening the address. */
  run?: () => void;
};

const actions = [
  { key: 'addEmployee', url: paths.newEmployee, icon: IconUserPlus, permission: 'employees.create' },
  { key: 'importPeople', url: paths.newImport, icon: IconPlus, permission: 'employees.import' },
] as const satisfies readonly { key: string; url: string; icon: typeof IconPlus; permission: Permission }[];

type Words = {
  page: (key: ReturnType<typeof navigationFor>[number]['entries'][number]['key']) => string;
  action: (key: (typeof actions)[number]['key'] | 'help') => string;
};

/** The pages and actions that the user may open. */
export function ownTargets(viewer: Parameters<typeof navigationFor>[0], { page, action }: Words): Target[] {
  const entries = navigationFor(viewer).flatMap((group) => group.entries);
  return [
    ...entries.map(({ key, to, icon }): Target => ({ kind: 'pages', url: to, label: page(key), icon })),
    ...actions
      .filter(({ permission }) => viewer.can(permission))
      .map(({ key, url, icon }): Target => ({ kind: 'actions', url, label: action(key), icon })),
    { kind: 'actions', url: '#help', label: action('help'), icon: IconHelpCircle, run: openHelp },
  ];
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The targets whose label contains every typed word, ignoring case and accents. */
export function matching(targets: readonly Target[], typed: string): Target[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  return targets.filter(({ label }) => words.every((word) => plain(label).includes(word)));
}

type Hits = Reply<typeof search.find>['data'];

/** The search results of the service as targets. */
export const foundTargets = ({ people = [], departments = [], cycles = [], templates = [] }: Hits): Target[] => [
  ...people.map(({ id, ...hit }): Target => ({ kind: 'people', person: id, ...hit })),
  ...departments.map(({ id: _id, ...hit }): Target => ({ kind: 'departments', ...hit })),
  ...cycles.map(({ id: _id, ...hit }): Target => ({ kind: 'cycles', ...hit })),
  ...templates.map(({ id: _id, ...hit }): Target => ({ kind: 'templates', ...hit })),
];

/** Colleagues for whom the search found no record that the user may open. */
export const colleagueTargets = (cards: readonly DirectoryCard[], { people = [] }: Partial<Hits>): Target[] =>
  cards
    .filter(({ id }) => !people.some((hit) => hit.id === id))
    .map(({ id, name, job_title, department }) => ({
      kind: 'colleagues',
      person: id,
      url: `${paths.directory}/${id}`,
      label: name,
      sublabel: [job_title, department.name].filter((text) => text !== null).join(' · '),
    }));
