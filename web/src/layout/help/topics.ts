import { paths } from '../../paths.ts';

/** The pages of help: a file of each language in `docs/help`. */
export const topics = [
  'home',
  'tasks',
  'notifications',
  'employees',
  'person',
  'profile',
  'org-chart',
  'departments',
  'imports',
  'evaluations',
  'templates',
  'cycles',
  'reports',
  'probation',
  'letters',
  'roles',
  'audit-log',
  'settings',
] as const;
export type Topic = (typeof topics)[number];

/** What each address is about; null for pages before signing in, which have no help. */
export const topicOfPath: Record<keyof typeof paths, Topic | null> = {
  home: 'home',
  signIn: null,
  newPassword: null,
  reset: null,
  welcome: null,
  employees: 'employees',
  directory: 'employees',
  colleague: 'employees',
  newEmployee: 'employees',
  employee: 'person',
  plannedChanges: 'employees',
  offboarding: 'person',
  profile: 'profile',
  orgChart: 'org-chart',
  departments: 'departments',
  department: 'departments',
  company: 'departments',
  imports: 'imports',
  newImport: 'imports',
  import: 'imports',
  firstCompany: 'departments',
  companyBrand: 'settings',
  announcements: 'home',
  brand: 'settings',
  tasks: 'tasks',
  notifications: 'notifications',
  notificationSettings: 'settings',
  kpiEvaluations: 'evaluations',
  kpiEvaluation: 'evaluations',
  kpiTemplates: 'templates',
  newKpiTemplate: 'templates',
  kpiTemplate: 'templates',
  newKpiTemplateImport: 'imports',
  kpiTemplateImports: 'imports',
  kpiTemplateImport: 'imports',
  newFormerResultImport: 'imports',
  formerResultImports: 'imports',
  formerResultImport: 'imports',
  kpiCycles: 'cycles',
  newKpiCycle: 'cycles',
  kpiCycle: 'cycles',
  reports: 'reports',
  probation: 'probation',
  probationCriteria: 'probation',
  probationReview: 'probation',
  probationVerification: 'probation',
  letters: 'letters',
  roles: 'roles',
  role: 'roles',
  auditLog: 'audit-log',
};

/** The topic of a route, by its pattern; that of the home page for an unknown one. */
export function topicOf(pattern: string | undefined): Topic {
  const key = Object.keys(paths).find((name) => paths[name as keyof typeof paths] === pattern);
  return (key && topicOfPath[key as keyof typeof paths]) || 'home';
}
