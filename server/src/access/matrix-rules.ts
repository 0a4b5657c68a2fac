/**
 * Rules beside permission and scope that decide about an endpoint, as listed in docs/access-matrix.md. Endpoints are
 * named by method and path; a test refuses unknown ones.
 */

type Rule = { title: string; text: string; endpoints: readonly string[] };

const writesOfPeople = [
  'POST /employees',
  'PUT /employees/:id',
  'POST /employees/bulk',
  'POST /employees/:id/job-history',
  'POST /employees/:id/rehire',
  'POST /employees/:id/restore',
  'POST /employees/:id/deactivate',
  'POST /employees/:id/separate',
  'POST /employees/:id/reassign',
  'POST /employees/imports/:id/commit',
  'POST /employees/imports/:id/undo',
];

export const matrixRules: readonly Rule[] = [
  {
    title: 'cover',
    text: 'Needs everything the account may do, wherever it reaches, within what the caller may do. For the address only where it changes, for the first day and early access only where they let somebody in or keep them out.',
    endpoints: [
      'POST /employees/:id/reset-password',
      'POST /employees/reset-passwords',
      'POST /employees/:id/invite',
      'DELETE /employees/:id/invite',
      'POST /employees/invite',
      'DELETE /employees/:id/sessions',
      'POST /employees/:id/reactivate',
      'POST /employees/:id/withdraw-separation',
      'PUT /employees/:id',
      'POST /employees',
      'POST /employees/imports/:id/commit',
      'POST /employees/imports/:id/undo',
    ],
  },
  {
    title: 'who decides about the caller',
    text: 'No way into the account of the own line of managers and of the reviewer of an open evaluation or probation review of the caller, for administrators too.',
    endpoints: [
      'POST /employees/:id/reset-password',
      'POST /employees/reset-passwords',
      'POST /employees/:id/invite',
      'POST /employees/invite',
      'PUT /employees/:id',
    ],
  },
  {
    title: 'reach',
    text: 'Needs the people the account reaches within the reach of the caller for this permission.',
    endpoints: [
      'POST /employees/:id/deactivate',
      'POST /employees/:id/separate',
      'DELETE /employees/:id',
      'POST /probation-reviews/:id/approve',
    ],
  },
  {
    title: 'own person',
    text: 'The account begins anew with the role Employee: needs what everybody may do with the own record within what the caller may do.',
    endpoints: ['POST /employees/:id/rehire', 'POST /employees/:id/restore'],
  },
  {
    title: 'grant of scope',
    text: 'What a manager or head would come to may do over people must lie within what the caller may do over them already.',
    endpoints: [
      ...writesOfPeople,
      'POST /departments',
      'PUT /departments/:id',
      'PUT /departments/:id/manager',
      'DELETE /departments/:id/manager',
      'PUT /departments/:id/team-lead',
      'DELETE /departments/:id/team-lead',
    ],
  },
  {
    title: 'administrators',
    text: 'The record and the account of somebody who holds Admin are changed by administrators only.',
    endpoints: [...writesOfPeople, 'PUT /departments/:id', 'PUT /employees/:id/roles'],
  },
  {
    title: 'on request',
    text: 'Private details of somebody else are in the answer only when asked for with `reveal=private`, which is recorded.',
    endpoints: ['GET /employees/:id'],
  },
];

const shown = (endpoint: string) => `\`${endpoint.replaceAll(/:(\w+)/g, '{$1}')}\``;

export const ruleLines = (): string[] =>
  matrixRules.map(({ title, text, endpoints }) => `| ${title} | ${text} | ${endpoints.map(shown).join(', ')} |`);
