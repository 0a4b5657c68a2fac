import { employeeRows, entityRows } from '@tenure/contract';
import type { FieldKind } from '@tenure/contract';
import type { Reader } from '../testing/canary-readers.ts';
import { allHr, managers, ofThePeople, peopleHr, personAndHr, southern } from './canary-sweep.ts';
import { samples } from './oracle-questions.ts';
import { figures, flags, ofReviews } from './oracle-reviews.ts';
import { held, inText, onDays } from './oracle-values.ts';
import type { Part, Planted, Secret, Canaries } from './oracle-values.ts';

/**
 * Values hidden from some readers: columns of rows with two values each. Values of other rows lie between the two, so
 * that the second value changes every order and every count that depends on it.
 */

const { text: texts, digits } = samples;

const inJson = (key: string) => texts.map((text) => JSON.stringify({ [key]: text })) as [string, string];

const { probation_start_date, probation_end_date, ...rows } = employeeRows;

/** Two values for each text, day and phone number of a group of readers. */
function plainFields(group: 'work' | 'private'): Part['values'] {
  const named = (...kinds: FieldKind[]) =>
    Object.entries(rows).flatMap(([name, row]) => (row.group === group && kinds.includes(row.kind) ? [name] : []));
  const phones = Object.fromEntries(named('phone').map((name) => [name, digits] as const));
  return { ...inText(...named('text', 'email')), ...onDays(...named('day')), ...phones };
}

const privateDetails = {
  ...plainFields('private'),
  gender: ['male', 'female'],
  marital_status: ['single', 'married'],
  address: inJson('city'),
  emergency_contact: inJson('name'),
  bank: inJson('bank_name'),
} as const;

const employment = {
  ...plainFields('work'),
  employment_type: ['contract', 'intern'],
} as const;

const probation = {
  ...onDays('probation_end_date', 'probation_paused_from'),
  employment_lifecycle: ['probationary', 'confirmed'],
  extension_count: [0, 1],
} as const;

function ofTheRecord({ people: { self } }: Canaries, { leaver }: Planted): Secret[] {
  const at = `/api/employees/${self.id}`;
  const record = (values: Part['values']) => [held('employees', self.id, values)];
  const ofHistory = inText('job_title', 'grade', 'reason');
  return [
    { name: 'private details', seen: personAndHr, at: `${at}?reveal=private`, parts: record(privateDetails) },
    { name: 'employment', seen: ofThePeople, at, parts: record(employment) },
    // readers of reviews see it in the list of ending probations
    { name: 'probation', seen: [...ofThePeople, 'onlooker'], at, parts: record(probation) },
    {
      name: 'an absence',
      seen: ofThePeople,
      at: `${at}/absences`,
      // over, or until today and beyond
      parts: [held('absences', self.id, { last_day: ['2020-01-02', '2199-01-01'] }, 'employee_id')],
    },
    {
      name: 'the reason of an absence',
      seen: personAndHr,
      at: `${at}/absences?reveal=private`,
      parts: [held('absences', self.id, inText('absence_reason'), 'employee_id')],
    },
    {
      name: 'the reason of a separation',
      seen: peopleHr,
      at: `/api/employees/${leaver}?reveal=private`,
      parts: [held('employees', leaver, inText('separation_reason'))],
    },
    {
      name: 'job history',
      seen: ofThePeople,
      at: `${at}/job-history`,
      parts: [held('job_history', self.id, ofHistory, 'employee_id')],
    },
  ];
}

function ofTheAccount({ people: { self, colleague, manager } }: Canaries, { roles }: Planted): Secret[] {
  const signIn = { last_login_at: [null, '2020-01-01T00:00:00Z'], password_hash: [null, 'x'] } as const;
  return [
    {
      name: 'the account and its roles',
      seen: ['colleague', ...ofThePeople.filter((reader) => reader !== 'self')],
      at: `/api/employees/${colleague.id}`,
      parts: [
        held('users', colleague.user_id, signIn),
        held('role_assignments', colleague.user_id, { role_id: [roles[0], roles[1]] }, 'user_id'),
      ],
    },
    {
      name: 'names and e-mail behind the display name',
      seen: ['self', ...managers, 'chief', 'managedExporter', 'directory', ...peopleHr],
      at: `/api/employees/${self.id}`,
      parts: [
        held('employees', self.id, inText('first_name', 'middle_name', 'last_name')),
        held('users', self.user_id, { email: ['zqfirst@example.com', 'zqsecond@example.com'] }),
      ],
    },
    {
      name: 'names behind the display name of a reviewer',
      seen: ['manager', 'chief', 'directory', 'boardHr', ...allHr],
      at: `/api/employees/${manager.id}`,
      parts: [held('employees', manager.id, inText('first_name', 'middle_name', 'last_name'))],
    },
  ];
}

function ofTheFiles({ people: { self }, ids }: Canaries, { leaver }: Planted): Secret[] {
  const [forHr, forManagers, forThePerson, identity] = ids['attachmentId'] ?? [];
  const at = `/api/employees/${self.id}/attachments`;
  const file = (name: string, id: number | undefined, seen: readonly Reader[]): Secret => {
    const parts = [held('attachments', id, { ...inText('title', 'file_name'), size: [10, 20] })];
    return { name: `a file for ${name}`, seen, at, parts };
  };
  return [
    file('HR', forHr, peopleHr),
    file('HR that proves the identity', identity, peopleHr),
    file('managers', forManagers, [...managers, 'chief', 'managedExporter', ...peopleHr]),
    file('the person', forThePerson, personAndHr),
    {
      name: 'whose file it is',
      seen: peopleHr,
      at,
      parts: [held('attachments', forHr, { employee_id: [self.id, leaver] })],
    },
  ];
}

/** Copies in the audit log, for readers of the original. */
function ofTheLog({ entries }: Planted): Secret[] {
  const changes = texts.map((to) => JSON.stringify({ x: { from: null, to } })) as [string, string];
  // the label of a file entry starts with its person
  const labels = texts.map((text) => `Somebody: ${text}`) as [string, string];
  const copy = (of: keyof typeof entries, column: 'reason' | 'subject_label', seen: readonly Reader[]): Secret => ({
    name: `a copy in the log: ${of}`,
    seen,
    at: `/api/audit-log/${entries[of]}`,
    parts: [held('audit_log', entries[of], { [column]: labels, changes })],
  });
  return [
    ...(['job', 'leaving', 'evaluation', 'review'] as const).map((of) => copy(of, 'reason', allHr)),
    copy('file', 'subject_label', allHr),
    copy('view', 'subject_label', ['hr']),
    copy('import', 'subject_label', ['hr', 'admin']),
  ];
}

const states = ['active', 'inactive'] as const;

const optionalTexts = Object.entries(entityRows).flatMap(([name, { kind, ...row }]) =>
  (kind === 'text' || kind === 'longText') && !('required' in row) && !('filledIn' in row) ? [name] : [],
);

/** Another company, for readers without access to it. */
function ofTheSouth({ people: { southerner }, ids }: Canaries, { southTwin }: Planted): Secret[] {
  const [, company] = ids['entities'] ?? [];
  const [, department] = ids['departments'] ?? [];
  const evaluation = ids['kpi-evaluations']?.[4];
  const known: Reader[] = [...southern, 'southerner', 'directory', 'onlooker'];
  const south = (what: string, seen: readonly Reader[], at: string, part: Part): Secret => ({
    name: `${what} of another company`,
    seen,
    at: `/api/${at}/${String(part.where['id'])}`,
    parts: [part],
  });
  const person = inText('first_name', 'last_name', 'job_title', 'grade');
  const registered = inText(...optionalTexts);
  return [
    south('people', [...known, 'auditor'], 'employees', held('employees', southerner.id, person)),
    south('the number of people', known, 'employees', held('employees', southTwin, { activity_status: states })),
    south('departments', [...known, 'planner'], 'departments', held('departments', department, inText('name', 'code'))),
    south('the record', southern, 'entities', held('entities', company, registered)),
    south(
      'results',
      [...southern, 'southerner', 'onlooker'],
      'kpi-evaluations',
      held('kpi_evaluations', evaluation, { ...figures, ...flags }),
    ),
  ];
}

/** Fields of cycles and templates, for readers with more access than evaluations. */
function ofCycles({ ids }: Canaries): Secret[] {
  const [cycle] = ids['kpi-cycles'] ?? [];
  const [template] = ids['kpi-templates'] ?? [];
  const readers: Reader[] = [...allHr, 'southHr'];
  return [
    {
      name: 'the description of a cycle',
      seen: [...readers, 'onlooker', 'planner'],
      at: `/api/kpi-cycles/${cycle}`,
      parts: [held('kpi_cycles', cycle, inText('description'))],
    },
    {
      name: 'the description of a template',
      seen: readers,
      at: `/api/kpi-templates/${template}`,
      parts: [held('kpi_templates', template, inText('description', 'job_title', 'grade'))],
    },
  ];
}

/** Values private to one user. */
function ofOneUser({ people: { self }, ids }: Canaries): Secret[] {
  const [view] = ids['saved-views'] ?? [];
  const [imported] = ids['imports'] ?? [];
  const notification = {
    params: inJson('person'),
    severity: ['info', 'warning'],
    read_at: [null, '2020-01-01T00:00:00Z'],
  } as const;
  return [
    {
      name: 'a saved view',
      seen: ['hr'],
      at: `/api/saved-views/${view}`,
      parts: [held('saved_views', view, inText('name'))],
    },
    {
      name: 'a notification',
      seen: ['self'],
      at: '/api/notifications',
      parts: [{ table: 'notifications', where: { user_id: self.user_id, dedupe_key: 'zq' }, values: notification }],
    },
    {
      name: 'an import',
      seen: allHr,
      at: `/api/employees/imports/${imported}/rows`,
      parts: [
        held('imports', imported, inText('file_name')),
        held('import_rows', imported, inText('key'), 'import_id'),
      ],
    },
  ];
}

/** All values hidden from some reader. */
export const secretsOf = (canaries: Canaries, planted: Planted): readonly Secret[] => [
  ...ofTheRecord(canaries, planted),
  ...ofTheAccount(canaries, planted),
  ...ofTheFiles(canaries, planted),
  ...ofReviews(canaries, planted),
  ...ofTheLog(planted),
  ...ofTheSouth(canaries, planted),
  ...ofCycles(canaries),
  ...ofOneUser(canaries),
];
