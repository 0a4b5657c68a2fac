/** Every address of the application; the router, the links and the service's list of pages are made from it. */
export const paths = {
  home: '/',
  signIn: '/login',
  newPassword: '/new-password',
  employees: '/employees',
  newEmployee: '/employees/new',
  employee: '/employees/$id',
  profile: '/profile',
  orgChart: '/org-chart',
  departments: '/departments',
  department: '/departments/$id',
  company: '/companies/$id',
  imports: '/imports',
  newImport: '/imports/new',
  import: '/imports/$id',
  firstCompany: '/companies/new',
  tasks: '/tasks',
  kpiEvaluations: '/kpi/evaluations',
  kpiEvaluation: '/kpi/evaluations/$id',
  kpiTemplates: '/kpi/templates',
  newKpiTemplate: '/kpi/templates/new',
  kpiTemplate: '/kpi/templates/$id',
  newKpiTemplateImport: '/kpi/templates/import',
  kpiTemplateImports: '/kpi/templates/imports',
  kpiTemplateImport: '/kpi/templates/imports/$id',
  kpiCycles: '/kpi/cycles',
  newKpiCycle: '/kpi/cycles/new',
  kpiCycle: '/kpi/cycles/$id',
} as const;

/** Can this part of an address be the id of a record? */
export const isId = (text: string): boolean => /^[1-9][0-9]{0,15}$/.test(text) && Number.isSafeInteger(Number(text));
