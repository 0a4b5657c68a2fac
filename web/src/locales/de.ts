import access from './de/access.json';
import account from './de/account.json';
import audit from './de/audit.json';
import companies from './de/companies.json';
import departments from './de/departments.json';
import employees from './de/employees.json';
import forms from './de/forms.json';
import home from './de/home.json';
import imports from './de/imports.json';
import orgChart from './de/org-chart.json';
import palette from './de/palette.json';
import people from './de/people.json';
import profile from './de/profile.json';
import shell from './de/shell.json';
import signIn from './de/sign-in.json';
import type { Messages } from './en.ts';

/** Every text of the application in German; a file holds the texts of one part. */
export const de: Messages = {
  ...access,
  ...account,
  ...audit,
  ...companies,
  ...departments,
  ...employees,
  ...forms,
  ...home,
  ...imports,
  ...orgChart,
  ...palette,
  ...people,
  ...profile,
  ...shell,
  ...signIn,
};
