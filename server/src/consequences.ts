import type { Consequence, Consequences } from '@tenure/contract';
import { counted, sentence, stillThere } from './wording.ts';

type Kind = Consequence['kind'];
type Step = Consequence['blocks'][number];

const words: Record<Kind, [one: string, several: string]> = {
  people: ['person', 'people'],
  active_people: ['active person', 'active people'],
  joining_people: ['person who joins later', 'people who join later'],
  departments: ['department', 'departments'],
  departments_managed: ['department to manage', 'departments to manage'],
  departments_led: ['department to lead', 'departments to lead'],
  direct_reports: ['direct report', 'direct reports'],
  inactive_reports: ['inactive direct report', 'inactive direct reports'],
  open_evaluations: ['open evaluation', 'open evaluations'],
  open_probation_reviews: ['open probation review', 'open probation reviews'],
  cycles_owned: ['KPI cycle', 'KPI cycles'],
  kpi_cycles: ['KPI cycle', 'KPI cycles'],
  kpi_evaluations: ['KPI evaluation', 'KPI evaluations'],
  kpi_templates: ['KPI template', 'KPI templates'],
  probation_reviews: ['probation review', 'probation reviews'],
  attachments: ['file', 'files'],
  job_history: ['row of job history', 'rows of job history'],
  scheduled_changes: ['scheduled job change', 'scheduled job changes'],
  pending_imports: ['import in progress', 'imports in progress'],
  limited_roles: ['role assignment limited to it', 'role assignments limited to it'],
};

/** So many of something depend on a record, and stand in the way of the steps named. */
export const dependent = (
  kind: Kind,
  count: number,
  blocks: Consequence['blocks'] = [],
  examples: Consequence['examples'] = [],
): Consequence => ({ kind, count, text: counted(count, ...words[kind]), examples, blocks });

function outlook(items: readonly Consequence[], step: Step, refusal: string | null | undefined) {
  const blocking = items.filter(({ blocks }) => blocks.includes(step));
  const inTheWay = stillThere(...blocking.map(({ kind, count }) => [count, ...words[kind]] as const));
  const message = refusal ?? (inTheWay ? sentence(inTheWay) : null);
  return { possible: message === null, message };
}

/** What a record's delete and deactivation would meet; `refusals` are reasons that no count tells. */
export const consequencesOf = (
  items: readonly Consequence[],
  refusals: Partial<Record<Step, string | null>> = {},
): Consequences => ({
  delete: outlook(items, 'delete', refusals.delete),
  deactivate: outlook(items, 'deactivate', refusals.deactivate),
  items: items.filter(({ count }) => count > 0),
});
