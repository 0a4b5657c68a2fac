import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, item, page, stamps } from './envelope.ts';
import { date, decimal, oneOf, reason, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** A percentage from 0 to 100, or points on a scale. */
export const formerResultUnits = ['percent', 'points'] as const;

/** The result of a review in another system: read-only history beside the evaluations, never one of them. */
export const FormerResult = z.object({
  id: z.int(),
  employee_id: z.int(),
  /** The name of the period; null if only its days are known. */
  period: z.string().max(100).nullable(),
  period_from: day.nullable(),
  period_to: day,
  unit: z.enum(formerResultUnits).nullable(),
  /** Null if the source only has a band. */
  result: z.number().nullable(),
  /** The lowest and the highest result; if lower is better, `scale_from` is the larger number. */
  scale_from: z.number().nullable(),
  scale_to: z.number().nullable(),
  /** Points as a percentage of the highest on the scale, two decimals; null if lower is better or without a result. */
  percentage: z.number().nullable(),
  band: z.string().max(60).nullable(),
  /** The system or file with the original. */
  source: z.string().max(100),
  created_by: ActorRef,
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type FormerResult = z.output<typeof FormerResult>;

/** The largest number on a scale. */
export const largestResult = 100_000;
const points = () => decimal(-largestResult, largestResult, 3);

/** The fields that a correction may change. */
export const formerResultFields = {
  period: text(100).nullish(),
  period_from: date().nullish(),
  period_to: date().optional(),
  unit: oneOf(formerResultUnits).nullish(),
  result: points().nullish(),
  scale_from: points().nullish(),
  scale_to: points().nullish(),
  band: text(60).nullish(),
  source: text(100, 1).optional(),
};

const listPath = '/employees/:id/former-results';
const path = `${listPath}/:resultId` as const;
const corrected = { path, permission: 'kpi-evaluation.hr-review', scope: 'relationship' } as const;

export const formerResults = {
  list: endpoint({
    method: 'GET',
    path: listPath,
    summary: 'List the results of a person from former systems',
    permission: 'kpi-evaluation.view',
    scope: 'scoped',
    query: listQuery(['period_to', 'source'], { source: filters.text(100) }),
    reply: page(FormerResult),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path,
    summary: 'Read a result from a former system',
    permission: 'kpi-evaluation.view',
    scope: 'scoped',
    reply: item(FormerResult),
    status: 200,
  }),
  update: endpoint({
    ...corrected,
    method: 'PUT',
    summary: 'Correct a result from a former system',
    body: z.object({ ...formerResultFields, reason: reason(), ...revision }),
    reply: item(FormerResult),
    status: 200,
  }),
  delete: endpoint({
    ...corrected,
    method: 'DELETE',
    summary: 'Delete a result from a former system',
    body: z.object({ reason: reason() }),
    status: 204,
  }),
};
