import access from './en/access.json';
import account from './en/account.json';
import audit from './en/audit.json';
import companies from './en/companies.json';
import departments from './en/departments.json';
import employees from './en/employees.json';
import forms from './en/forms.json';
import home from './en/home.json';
import imports from './en/imports.json';
import orgChart from './en/org-chart.json';
import palette from './en/palette.json';
import people from './en/people.json';
import profile from './en/profile.json';
import shell from './en/shell.json';
import signIn from './en/sign-in.json';

/** Every text of the application in English; a file holds the texts of one part. */
export const en = {
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
export type Messages = typeof en;
