/**
 * Rules in addition to permission and scope that decide about an endpoint, as listed in docs/access-matrix.md.
 * Endpoints are named by method and path; a test refuses unknown ones.
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
    text: 'The caller must have every right of the account, in every scope in which the account has it. A change of the record needs this only if it changes the sign-in address, or if a new first day or early access opens or closes the account. Creating a person needs it only for a one-time password.',
    endpoints: [
      'POST /employees/:id/reset-password',
      'POST /employees/reset-passwords',
      'POST /employees/:id/invite',
      'DELETE /employees/:id/invite',
      'POST /employees/invite',
      'DELETE /employees/:id/sessions',
      'DELETE /employees/:id/second-factor',
      'PUT /employees/:id/sign-in-block',
      'DELETE /employees/:id/sign-in-block',
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
    text: 'The caller cannot open an account of a superior, or of the reviewer of an own open evaluation or probation review: no password, link or other sign-in address, and no second factor less. The caller cannot switch the sign-in of these people off or on either. This applies to administrators too.',
    endpoints: [
      'POST /employees/:id/reset-password',
      'POST /employees/reset-passwords',
      'POST /employees/:id/invite',
      'POST /employees/invite',
      'DELETE /employees/:id/second-factor',
      'PUT /employees/:id/sign-in-block',
      'DELETE /employees/:id/sign-in-block',
      'DELETE /employees/:id/sign-in-blocks/:blockId',
      'PUT /employees/:id',
    ],
  },
  {
    title: 'reach',
    text: 'The people in the scope of the account must be in the scope of the caller for this permission.',
    endpoints: [
      'POST /employees/:id/deactivate',
      'POST /employees/:id/separate',
      'DELETE /employees/:id',
      'POST /probation-reviews/:id/approve',
    ],
  },
  {
    title: 'own person',
    text: 'The account starts again with the role Employee. The caller must have, for this person, the rights that every user has to their own record.',
    endpoints: ['POST /employees/:id/rehire', 'POST /employees/:id/restore'],
  },
  {
    title: 'grant of scope',
    text: 'The caller must already have each right over people that a manager or head would gain.',
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
    text: 'Only administrators change the record and the account of a person with the role Admin.',
    endpoints: [...writesOfPeople, 'PUT /departments/:id', 'PUT /employees/:id/roles'],
  },
  {
    title: 'covers the role',
    text: 'Only administrators view the application as a role, and their own rights must cover it. In a view every change and download gets 403, except the end of the view and signing out.',
    endpoints: ['POST /roles/:id/view'],
  },
  {
    title: 'on request',
    text: 'Private details of another person are in the answer only on request with `reveal=private`. An export has them in the same way, bank accounts with `reveal=bank`. Each request is recorded.',
    endpoints: ['GET /employees/:id', 'GET /employees/export'],
  },
];

const shown = (endpoint: string) => `\`${endpoint.replaceAll(/:(\w+)/g, '{$1}')}\``;

export const ruleLines = (): string[] =>
  matrixRules.map(({ title, text, endpoints }) => `| ${title} | ${text} | ${endpoints.map(shown).join(', ')} |`);
