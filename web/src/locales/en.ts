import forms from './en/forms.json';
import shell from './en/shell.json';
import words from './en/words.json';

/** The English texts that every screen needs. */
export const base = { ...forms, ...shell, ...words };

/** Further texts by part, loaded with the screens that use them. */
export const parts = {
  access: () => import('./en/access.json'),
  account: () => import('./en/account.json'),
  'add-person': () => import('./en/add-person.json'),
  audit: () => import('./en/audit.json'),
  'audit-log': () => import('./en/audit-log.json'),
  chart: () => import('./en/chart.json'),
  autosave: () => import('./en/autosave.json'),
  companies: () => import('./en/companies.json'),
  departments: () => import('./en/departments.json'),
  employees: () => import('./en/employees.json'),
  fields: () => import('@tenure/contract/locales/en/fields.json'),
  home: () => import('./en/home.json'),
  'import-watch': () => import('./en/import-watch.json'),
  imports: () => import('./en/imports.json'),
  'kpi-cycles': () => import('./en/kpi-cycles.json'),
  'kpi-evaluation': () => import('./en/kpi-evaluation.json'),
  'kpi-evaluation-activity': () => import('./en/kpi-evaluation-activity.json'),
  'kpi-evaluation-dialogs': () => import('./en/kpi-evaluation-dialogs.json'),
  'kpi-evaluation-explain': () => import('./en/kpi-evaluation-explain.json'),
  'kpi-evaluation-turns': () => import('./en/kpi-evaluation-turns.json'),
  'kpi-evaluation-whole': () => import('./en/kpi-evaluation-whole.json'),
  'kpi-evaluations': () => import('./en/kpi-evaluations.json'),
  'kpi-evidence': () => import('./en/kpi-evidence.json'),
  'kpi-template-dialogs': () => import('./en/kpi-template-dialogs.json'),
  'kpi-templates': () => import('./en/kpi-templates.json'),
  'notification-settings': () => import('./en/notification-settings.json'),
  notifications: () => import('./en/notifications.json'),
  offboarding: () => import('./en/offboarding.json'),
  'org-chart': () => import('./en/org-chart.json'),
  palette: () => import('./en/palette.json'),
  passwords: () => import('./en/passwords.json'),
  permissions: () => import('./en/permissions.json'),
  person: () => import('./en/person.json'),
  probation: () => import('./en/probation.json'),
  'probation-activity': () => import('./en/probation-activity.json'),
  'probation-form': () => import('./en/probation-form.json'),
  'probation-profile': () => import('./en/probation-profile.json'),
  'probation-review': () => import('./en/probation-review.json'),
  'probation-signatures': () => import('./en/probation-signatures.json'),
  'probation-steps': () => import('./en/probation-steps.json'),
  'probation-words': () => import('./en/probation-words.json'),
  'probation-verify': () => import('./en/probation-verify.json'),
  letters: () => import('./en/letters.json'),
  signature: () => import('./en/signature.json'),
  profile: () => import('./en/profile.json'),
  reports: () => import('./en/reports.json'),
  roles: () => import('./en/roles.json'),
  'sign-in': () => import('./en/sign-in.json'),
  steps: () => import('./en/steps.json'),
  tasks: () => import('./en/tasks.json'),
  workflow: () => import('./en/workflow.json'),
};

export type Base = typeof base;
export type Part = keyof typeof parts;

type Texts<P extends Part> = Awaited<ReturnType<(typeof parts)[P]>>['default'];
export type Parts = { [P in Part]: () => Promise<{ default: Texts<P> }> };

type All<Each> = (Each extends unknown ? (each: Each) => void : never) extends (all: infer Both) => void ? Both : never;
export type Messages = Base & All<Texts<Part>>;
