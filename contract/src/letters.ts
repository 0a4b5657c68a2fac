import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, item, page, stamps } from './envelope.ts';
import { revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** The letters at the end of a probation, and the record of the review itself. */
export const letterKinds = ['confirmation', 'extension', 'termination', 'review_record'] as const;
export type LetterKind = (typeof letterKinds)[number];

/** The names that a template may use in double braces, as in `{{employee_name}}`. */
export const letterPlaceholders = [
  'employee_name',
  'employee_number',
  'job_title',
  'department',
  'company',
  'company_address',
  'probation_start_date',
  'probation_end_date',
  'new_probation_end_date',
  'extension_months',
  'effective_date',
  'decided_on',
  'reviewer_name',
  'decided_by',
  'today',
] as const;

export const LetterTemplate = z.object({
  kind: z.enum(letterKinds),
  title: z.string().max(200),
  /** Paragraphs, separated by empty lines. */
  body: z.string().max(20_000),
  /** The text is still the original one. */
  is_default: z.boolean(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type LetterTemplate = z.output<typeof LetterTemplate>;

const path = '/letter-templates/:kind';

export const letters = {
  letter: endpoint({
    method: 'GET',
    path: '/probation-reviews/:id/letter',
    summary: 'The letter about a decided probation, as PDF',
    permission: 'probation-review.view',
    scope: 'scoped',
    query: z.object({ kind: z.enum(letterKinds).nullish() }),
    file: ['pdf'],
    budget: 'export',
    status: 200,
  }),
  list: endpoint({
    method: 'GET',
    path: '/letter-templates',
    summary: 'List the templates of letters',
    permission: 'probation-review.approve',
    scope: 'scoped',
    query: listQuery(['kind'], { kind: filters.oneOf(letterKinds) }),
    reply: page(LetterTemplate),
    status: 200,
  }),
  get: endpoint({
    method: 'GET',
    path,
    words: { kind: letterKinds },
    summary: 'Read the template of a letter',
    permission: 'probation-review.approve',
    scope: 'scoped',
    reply: item(LetterTemplate),
    status: 200,
  }),
  update: endpoint({
    method: 'PUT',
    path,
    words: { kind: letterKinds },
    summary: 'Change the template of a letter',
    permission: 'probation-review.approve',
    scope: 'everything',
    /** Null restores the original text. */
    body: z.object({ title: text(200, 2).nullish(), body: text(20_000, 2).nullish(), ...revision }),
    reply: item(LetterTemplate),
    status: 200,
  }),
};
