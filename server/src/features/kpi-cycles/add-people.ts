import { messages, text } from '@tenure/contract';
import type { kpiCyclePeople, ReplyIn, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { visiblePeople } from '../../access/scope.ts';
import { record } from '../../audit.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import type { HandlerCtx, ReadCtx } from '../../http/context.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { templatesFor } from '../kpi-templates/policy.ts';
import { createEvaluations } from './evaluations.ts';
import { planOf } from './plan.ts';
import { employmentRefusals, templateRefusal } from './plan-refusals.ts';
import type { PlannedTemplate } from './plan-refusals.ts';
import { companiesFor } from './policy.ts';
import { belowFullOf } from './preflight.ts';
import { lockTemplates, refuseMissing } from './publish.ts';
import type { CycleRecord } from './queries.ts';

type AddCtx = HandlerCtx<typeof kpiCyclePeople.add>;
type Result = ReplyIn<typeof kpiCyclePeople.add>['data'];

type Chosen = { id: number; employee_number: string; name: string; entity_id: number; department_id: number };
/** The person's row in the plan; missing for people who left. */
type Planned = PlannedTemplate & {
  id: number;
  is_new: boolean;
  reason: string | null;
  evaluation_id: number | null;
  reviewer_id: number | null;
  template_version: number | null;
  is_foreign: boolean;
};
type Checked = { id: number; person: Chosen | undefined; planned: Planned | undefined; refusal: Text | undefined };

/** The named people whom the caller sees and for whose company the caller can publish. */
async function chosenPeople({ db, actor, body }: AddCtx): Promise<Map<number, Chosen>> {
  const { rows } = await sql<Chosen>`
    select e.id, e.employee_number, e.name, e.entity_id, e.department_id from employees e
    where e.id = any(${body.employee_ids}::bigint[]) and e.deleted_at is null
      and ${companiesFor(actor, 'kpi-cycle.publish', 'e.entity_id')} and ${visiblePeople(actor)}`.execute(db);
  return new Map(rows.map((person) => [person.id, person]));
}

/** A template chosen for all of them must be active, visible, and of a company of the caller or of none. */
export async function refuseTemplate({
  db,
  actor,
  body,
}: ReadCtx & { body: { template_id?: number | null | undefined } }): Promise<void> {
  const id = body.template_id ?? null;
  if (id === null) return;
  const { rows } = await sql`
    select from kpi_templates t where t.id = ${id} and t.status = 'active'
      and (t.entity_id is null or ${companiesFor(actor, 'kpi-cycle.publish', 't.entity_id')})
      and ${templatesFor(actor, 'kpi-template.view')}`.execute(db);
  if (rows.length === 0) throw invalid('template_id', messages.unavailable);
}

async function plannedPeople(
  { db, body }: AddCtx,
  cycle: CycleRecord,
  people: readonly Chosen[],
): Promise<Map<number, Planned>> {
  const ids = people.map(({ id }) => id);
  const departments = [...new Set(people.map(({ department_id }) => department_id))];
  const invited = { template_id: body.template_id ?? null };
  const { rows } = await sql<Planned>`
    with ${planOf(cycle.id, departments, { only: ids, invited })}
    select id, is_new, reason, evaluation_id, reviewer_id, template_id, template_version, template_status, is_foreign,
           is_foreign_template
    from people`.execute(db);
  return new Map(rows.map((planned) => [planned.id, planned]));
}

function refusalOf({ body }: AddCtx, planned: Planned | undefined): Text | undefined {
  if (!planned) return employmentRefusals['inactive'];
  if (planned.evaluation_id !== null) return text('kpi_cycles.has_evaluation');
  if (planned.is_foreign) return text('kpi_cycles.person_of_other_company');
  if (!planned.is_new) return employmentRefusals[planned.reason ?? ''] ?? employmentRefusals['inactive'];
  const refusal = templateRefusal(planned);
  if (refusal) return refusal;
  const isMissing = planned.reviewer_id === null && !body.allow_missing_reviewer;
  return isMissing ? text('kpi_cycles.person_without_reviewer') : undefined;
}

/** Changes with everything the caller saw: who is added with which reviewer and template, and who is refused why. */
const hashOf = (checked: readonly Checked[]) =>
  sha256Hex(
    checked
      .map(({ id, planned, refusal }) =>
        [id, refusal?.key ?? '', planned?.reviewer_id, planned?.template_id, planned?.template_version].join(':'),
      )
      .join(','),
  );

const present = ({ id, person, refusal }: Checked): Result['people'][number] => ({
  employee_id: id,
  employee: person ? { id, employee_number: person.employee_number, name: person.name } : null,
  outcome: refusal ? 'refused' : 'added',
  reason: refusal ?? null,
});

async function checkedPeople(ctx: AddCtx, cycle: CycleRecord): Promise<Checked[]> {
  const chosen = await chosenPeople(ctx);
  const planned = await plannedPeople(ctx, cycle, [...chosen.values()]);
  return [...new Set(ctx.body.employee_ids)].map((id): Checked => {
    const person = chosen.get(id);
    if (!person) return { id, person, planned: undefined, refusal: text('general.not_found') };
    return { id, person, planned: planned.get(id), refusal: refusalOf(ctx, planned.get(id)) };
  });
}

function refuseState(cycle: CycleRecord) {
  if (cycle.status === 'closed') throw conflict(text('kpi_cycles.closed_cannot_change'), cycle);
  if (cycle.status !== 'published') throw conflict(text('kpi_cycles.only_published_people'), cycle);
  if (cycle.publishing_total !== null) throw conflict(text('kpi_cycles.being_published'), cycle);
}

/** Creates exactly the evaluations of the plan. */
async function addThese(ctx: AddCtx, cycle: CycleRecord, people: readonly Chosen[]): Promise<void> {
  const { db, actor, body } = ctx;
  const publication = {
    cycle_id: cycle.id,
    department_ids: [...new Set(people.map(({ department_id }) => department_id))],
    actor: { user_id: actor.user_id, name: actor.name },
  };
  const only = people.map(({ id }) => id);
  const made = await createEvaluations(db, publication, { only, invited: { template_id: body.template_id ?? null } });
  // people who moved or left at the same moment
  if (made !== people.length) throw conflict(text('kpi_cycles.preflight_changed'), cycle);
  await record(ctx, {
    action: 'kpi_cycle.people_added',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    changes: { people: { from: null, to: people.map(({ employee_number }) => employee_number) } },
  });
}

/** Adds single people to a published cycle, whatever its service rules, or returns what would happen. */
export async function addPeople(ctx: AddCtx, cycle: CycleRecord): Promise<Result> {
  const { db, body } = ctx;
  const isDry = body.dry_run === true;
  await refuseTemplate(ctx);
  refuseState(cycle);
  const first = await checkedPeople(ctx, cycle);
  refuseMissing(
    ctx,
    first.flatMap(({ person }) => person ?? []),
  );
  await lockTemplates(
    db,
    first.flatMap(({ planned }) => planned ?? []),
  );
  const checked = await checkedPeople(ctx, cycle);
  const plan_hash = hashOf(checked);
  if (body.plan_hash && body.plan_hash !== plan_hash) throw conflict(text('kpi_cycles.preflight_changed'), cycle);
  const ready = checked.filter(({ refusal }) => refusal === undefined);
  if (!isDry && ready.length > 0)
    await addThese(
      ctx,
      cycle,
      ready.flatMap(({ person }) => person ?? []),
    );
  return {
    dry_run: isDry,
    counts: { total: checked.length, added: ready.length, refused: checked.length - ready.length },
    people: checked.map(present),
    warnings: await belowFullOf(
      db,
      ready.flatMap(({ planned }) => planned?.template_id ?? []),
    ),
    plan_hash,
  };
}
