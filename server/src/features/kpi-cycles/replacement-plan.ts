import { text } from '@tenure/contract';
import type { EvaluationStatus, kpiCyclePeople, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { visiblePeople } from '../../access/scope.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { Db } from '../../db/connect.ts';
import { companiesFor } from './policy.ts';
import { endedEvaluations } from '../../workflow/open.ts';

type Row = ReplyIn<typeof kpiCyclePeople.replaceTemplate>['data']['evaluations'][number];

/** The current state of an evaluation in the department. */
type Stored = {
  id: number;
  employee_id: number;
  entity_id: number;
  status: EvaluationStatus;
  revision: number;
  template_id: number;
  template_name: string;
  template_version: number;
  has_begun: boolean;
  is_active: boolean;
  reviewer_missing: boolean;
  /** null if the actor does not see the person */
  employee: Row['employee'];
};
export type NewTemplate = { id: number; name: string; version: number; entity_id: number | null };
export type Replaced = Stored & { outcome: Row['outcome']; can_be_replaced: boolean; reason: Text | null };

const answered = sql`
  num_nonnulls(i.self_score, i.self_comment, i.self_actual_value, i.manager_score, i.manager_comment,
               i.manager_actual_value, i.manager_not_applicable) > 0 or i.self_not_applicable`;

/** SQL that is true for an evaluation `v` with any input, including drafts. Replacing others loses nothing. */
export const hasBegun = sql<boolean>`(
  v.status not in ('self_assessment', 'manager_review') or v.former_draft is not null
  or num_nonnulls(v.self_submitted_at, v.self_comment, v.manager_comment, v.strengths, v.improvements) > 0
  or exists (select from kpi_evaluation_items i where i.evaluation_id = v.id and (${answered}))
  or exists (select from kpi_evidence f where f.evaluation_id = v.id))`;

type Place = { cycle_id: number; department_id: number };

const openIn = ({ cycle_id, department_id }: Place) => sql`
  from kpi_evaluations
  where cycle_id = ${cycle_id} and department_id = ${department_id} and status not in ${endedEvaluations}`;

/**
 * Locks the open evaluations of a department, so that steps and drafts happen before or after; and first their people,
 * whose days of employment the new template may need.
 */
export async function lockEvaluations(db: Db, place: Place): Promise<void> {
  await sql`
    select from employees where id in (select employee_id ${openIn(place)}) order by id for key share`.execute(db);
  await sql`select ${openIn(place)} order by id for update`.execute(db);
}

/** The valid evaluations of a department, in the companies for which the actor publishes. */
export async function storedEvaluations(
  { db, actor }: { db: Db; actor: Actor },
  { cycle_id, department_id }: Place,
): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select v.id, v.employee_id, v.entity_id, v.status, v.revision, v.template_id, v.template_name, v.template_version,
           ${hasBegun} as has_begun, e.activity_status = 'active' and e.deleted_at is null as is_active,
           v.reviewer_missing_since is not null as reviewer_missing,
           case when ${visiblePeople(actor)}
             then json_build_object('id', e.id, 'employee_number', e.employee_number, 'name', e.name) end as employee
    from kpi_evaluations v join employees e on e.id = v.employee_id
    where v.cycle_id = ${cycle_id} and v.department_id = ${department_id} and v.status <> 'cancelled'
      and ${companiesFor(actor, 'kpi-cycle.publish', 'v.entity_id')}
    order by v.person_sort, v.id`.execute(db);
  return rows;
}

const ended: ReadonlySet<EvaluationStatus> = new Set(['completed']);

/** The reason why an evaluation is kept whatever the user selects. */
function fixedReason(actor: Actor, template: NewTemplate, row: Stored): Text | undefined {
  if (row.template_id === template.id && row.template_version === template.version)
    return text('kpi_cycles.has_template_already');
  if (template.entity_id !== null && template.entity_id !== row.entity_id)
    return text('kpi_cycles.person_template_of_other_company');
  if (ended.has(row.status)) return text('evaluations.is_completed');
  if (!row.has_begun) return undefined;
  if (row.employee_id === actor.employee_id) return text('kpi_cycles.own_evaluation_begun');
  return row.is_active ? undefined : text('kpi_cycles.person_not_active');
}

type ReplacementRequest = {
  actor: Actor;
  template: NewTemplate;
  former_id: number | null;
  ticked: ReadonlySet<number>;
};

/** What happens to an evaluation: those not started are replaced, all others only if the user selects them. */
export function checkReplacement({ actor, template, former_id, ticked }: ReplacementRequest, row: Stored): Replaced {
  const fixed = fixedReason(actor, template, row);
  if (fixed) return { ...row, outcome: 'kept', can_be_replaced: false, reason: fixed };
  const isOwn = row.template_id !== former_id;
  if (!row.has_begun && !isOwn) return { ...row, outcome: 'replaced', can_be_replaced: false, reason: null };
  const why = text(row.has_begun ? 'kpi_cycles.evaluation_begun' : 'kpi_cycles.template_of_its_own');
  if (!ticked.has(row.id)) return { ...row, outcome: 'kept', can_be_replaced: true, reason: why };
  return { ...row, outcome: row.has_begun ? 'cancelled' : 'replaced', can_be_replaced: true, reason: null };
}

/** Changes with each evaluation, each outcome and the template. */
export const hashOf = ({ id, version }: NewTemplate, rows: readonly Replaced[]) =>
  sha256Hex(
    [
      `${id}:${version}`,
      ...rows.map((row) => [row.id, row.outcome, row.status, row.has_begun].join(':')).toSorted(),
    ].join(','),
  );

const place = { kept: 0, cancelled: 1, replaced: 2 } as const;
const maxListed = 500;

/** The rows of the response, first those that need a decision. */
export const listed = (rows: readonly Replaced[]): Row[] =>
  rows
    .toSorted((a, b) => Number(b.can_be_replaced) - Number(a.can_be_replaced) || place[a.outcome] - place[b.outcome])
    .slice(0, maxListed)
    .map(({ id, employee, status, template_id, template_name, has_begun, can_be_replaced, outcome, reason }) => ({
      evaluation_id: id,
      employee,
      status,
      template: { id: template_id, name: template_name },
      has_begun,
      can_be_replaced,
      outcome,
      reason,
    }));
