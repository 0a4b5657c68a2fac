import forms from './de/forms.json';
import shell from './de/shell.json';
import words from './de/words.json';
import type { Base, Parts } from './en.ts';

/** The texts every screen starts with, in German. */
export const base: Base = { ...forms, ...shell, ...words };

/** The texts of one part of the application each, loaded with the screens that name them. */
export const parts: Parts = {
  access: () => import('./de/access.json'),
  account: () => import('./de/account.json'),
  'add-person': () => import('./de/add-person.json'),
  audit: () => import('./de/audit.json'),
  'audit-log': () => import('./de/audit-log.json'),
  chart: () => import('./de/chart.json'),
  autosave: () => import('./de/autosave.json'),
  companies: () => import('./de/companies.json'),
  departments: () => import('./de/departments.json'),
  employees: () => import('./de/employees.json'),
  home: () => import('./de/home.json'),
  'import-watch': () => import('./de/import-watch.json'),
  imports: () => import('./de/imports.json'),
  'kpi-cycles': () => import('./de/kpi-cycles.json'),
  'kpi-evaluation': () => import('./de/kpi-evaluation.json'),
  'kpi-evaluation-activity': () => import('./de/kpi-evaluation-activity.json'),
  'kpi-evaluation-dialogs': () => import('./de/kpi-evaluation-dialogs.json'),
  'kpi-evaluation-explain': () => import('./de/kpi-evaluation-explain.json'),
  'kpi-evaluation-turns': () => import('./de/kpi-evaluation-turns.json'),
  'kpi-evaluation-whole': () => import('./de/kpi-evaluation-whole.json'),
  'kpi-evaluations': () => import('./de/kpi-evaluations.json'),
  'kpi-evidence': () => import('./de/kpi-evidence.json'),
  'kpi-template-dialogs': () => import('./de/kpi-template-dialogs.json'),
  'kpi-templates': () => import('./de/kpi-templates.json'),
  'notification-settings': () => import('./de/notification-settings.json'),
  notifications: () => import('./de/notifications.json'),
  'org-chart': () => import('./de/org-chart.json'),
  palette: () => import('./de/palette.json'),
  passwords: () => import('./de/passwords.json'),
  permissions: () => import('./de/permissions.json'),
  person: () => import('./de/person.json'),
  probation: () => import('./de/probation.json'),
  'probation-activity': () => import('./de/probation-activity.json'),
  'probation-form': () => import('./de/probation-form.json'),
  'probation-profile': () => import('./de/probation-profile.json'),
  'probation-review': () => import('./de/probation-review.json'),
  'probation-signatures': () => import('./de/probation-signatures.json'),
  'probation-steps': () => import('./de/probation-steps.json'),
  'probation-words': () => import('./de/probation-words.json'),
  'probation-verify': () => import('./de/probation-verify.json'),
  letters: () => import('./de/letters.json'),
  signature: () => import('./de/signature.json'),
  profile: () => import('./de/profile.json'),
  reports: () => import('./de/reports.json'),
  roles: () => import('./de/roles.json'),
  'sign-in': () => import('./de/sign-in.json'),
  steps: () => import('./de/steps.json'),
  tasks: () => import('./de/tasks.json'),
};
