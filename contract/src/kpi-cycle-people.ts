import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item, PersonRef, Ref } from './envelope.ts';
import { boolean, id, reason, text } from './fields.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { messageField } from './message-field.ts';

/** The most people that one request adds to a cycle. */
export const maxCyclePeople = 500;

/** A person affected by a change of a running cycle. */
const AddedPerson = z.object({
  employee_id: z.int(),
  /** null for a person whom the caller cannot see, whether they exist or not. */
  employee: PersonRef.nullable(),
  outcome: z.enum(['added', 'refused']),
  /** Why the person is refused. */
  reason: messageField().nullable(),
});
export type AddedPerson = z.output<typeof AddedPerson>;

/** The most evaluations listed in the answer about a replaced template; those that keep theirs come first. */
export const maxListedReplacements = 500;
export const replacementOutcomes = ['replaced', 'cancelled', 'kept'] as const;

/** An evaluation of a department whose template is replaced. */
const Replacement = z.object({
  evaluation_id: z.int(),
  /** null if the caller cannot see the person. */
  employee: PersonRef.nullable(),
  status: z.enum(evaluationStatuses),
  template: Ref,
  /** Something was entered: a score, a comment or evidence. */
  has_begun: z.boolean(),
  /** Whether naming it in `evaluation_ids` would replace it too. */
  can_be_replaced: z.boolean(),
  outcome: z.enum(replacementOutcomes),
  /** Why it is kept. */
  reason: messageField().nullable(),
});
export type Replacement = z.output<typeof Replacement>;

const TemplateReplacement = z.object({
  dry_run: z.boolean(),
  department: Ref,
  template: Ref,
  counts: z.object({ total: z.int(), replaced: z.int(), cancelled: z.int(), kept: z.int() }),
  evaluations: z.array(Replacement).max(maxListedReplacements),
  /** A template that cannot reach the full result, and people without a reviewer. */
  warnings: z.array(messageField()),
  plan_hash: z.string().max(64),
});
export type TemplateReplacement = z.output<typeof TemplateReplacement>;

export const kpiCyclePeople = {
  replaceTemplate: endpoint({
    method: 'POST',
    path: '/kpi-cycles/:id/departments/:departmentId/replace-template',
    summary: 'Replace the template of a published department, or say what would happen',
    permission: 'kpi-cycle.publish',
    scope: 'scoped',
    body: z.object({
      template_id: id(),
      /** Evaluations that would otherwise be kept: those that have begun are cancelled, and the person starts over. */
      evaluation_ids: z.array(id()).max(maxCyclePeople).nullish(),
      /** Required if evaluations are cancelled. */
      reason: reason().nullish(),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
      /** The hash of a dry run: the real run is refused if anything has changed since. */
      plan_hash: text(64).nullish(),
    }),
    reply: item(TemplateReplacement),
    status: 200,
  }),
  add: endpoint({
    method: 'POST',
    path: '/kpi-cycles/:id/people',
    summary: 'Add people to a published KPI cycle, or say what would happen',
    permission: 'kpi-cycle.publish',
    scope: 'scoped',
    body: z.object({
      employee_ids: z.array(id()).min(1).max(maxCyclePeople),
      /** Replaces the template of each person's department. */
      template_id: id().nullish(),
      /** Also adds people without a reviewer; HR assigns one later. */
      allow_missing_reviewer: boolean().optional(),
      /** Writes nothing, and returns what the real run would. */
      dry_run: boolean().optional(),
      /** The hash of a dry run: the real run is refused if anything has changed since. */
      plan_hash: text(64).nullish(),
    }),
    reply: item(
      z.object({
        dry_run: z.boolean(),
        counts: z.object({ total: z.int(), added: z.int(), refused: z.int() }),
        people: z.array(AddedPerson),
        /** Templates that cannot reach the full result. */
        warnings: z.array(messageField()),
        plan_hash: z.string().max(64),
      }),
    ),
    status: 200,
  }),
};
