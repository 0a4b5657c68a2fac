import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, Ref, stamps } from './envelope.ts';
import { boolean, id, integer, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** The most criteria in a set, and in a review. */
export const maxCriteria = 20;

/** The longest guidance for a criterion. */
export const maxGuidance = 1_000;

/** A set of criteria that reviews in a company start with. */
export const CriteriaSet = z.object({
  id: z.int(),
  entity_id: z.int(),
  entity: Ref,
  name: z.string().max(120),
  /** Weights in whole percent that add up to exactly 100. */
  criteria: z
    .array(
      z.object({
        name: z.string().max(200),
        weight: z.int(),
        /** What reviewers should look at; absent if there is none. */
        guidance: z.string().max(maxGuidance).optional(),
      }),
    )
    .max(maxCriteria),
  /** New reviews in the company start with it; at most one set per company. */
  is_proposed: z.boolean(),
  /** Reviewers may change, add and remove criteria in their review. */
  may_adapt: z.boolean(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type CriteriaSet = z.output<typeof CriteriaSet>;

const criteria = z
  .array(z.object({ name: text(200, 2), weight: integer(1, 100), guidance: text(maxGuidance).nullish() }))
  .min(1)
  .max(maxCriteria);
const path = '/probation-criteria-sets/:id';
const reply = item(CriteriaSet);
const organise = { permission: 'probation-review.create', scope: 'scoped' } as const;

export const probationCriteria = {
  list: endpoint({
    ...organise,
    method: 'GET',
    path: '/probation-criteria-sets',
    summary: 'List the sets of criteria for probation reviews',
    query: listQuery(['name', 'created_at', 'updated_at'], { entity_id: filters.ids() }),
    reply: page(CriteriaSet),
    status: 200,
  }),
  get: endpoint({
    ...organise,
    method: 'GET',
    path,
    summary: 'Read a set of criteria for probation reviews',
    reply,
    status: 200,
  }),
  create: endpoint({
    ...organise,
    method: 'POST',
    path: '/probation-criteria-sets',
    summary: 'Add a set of criteria for the probation reviews of a company',
    body: z.object({
      entity_id: id(),
      name: text(120, 2),
      criteria,
      is_proposed: boolean().optional(),
      may_adapt: boolean().optional(),
    }),
    reply,
    status: 201,
  }),
  update: endpoint({
    ...organise,
    method: 'PUT',
    path,
    summary: 'Change a set of criteria; reviews that began with it stay as they are',
    body: z.object({
      name: text(120, 2).optional(),
      criteria: criteria.optional(),
      is_proposed: boolean().optional(),
      may_adapt: boolean().optional(),
      ...revision,
    }),
    reply,
    status: 200,
  }),
  delete: endpoint({
    ...organise,
    method: 'DELETE',
    path,
    summary: 'Remove a set of criteria; reviews that began with it stay as they are',
    status: 204,
  }),
};
