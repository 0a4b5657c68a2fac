import { expect, test } from 'vitest';
import { lookalikeOf } from './lookalike.ts';

test.each([
  ['Admin', 'Admin'],
  ['ADMIN', 'Admin'],
  ['A d m i n', 'Admin'],
  ['Admin.', 'Admin'],
  ['Ádmin', 'Admin'],
  ['Аdmin', 'Admin'], // a Cyrillic А
  ['Adrnin', 'Admin'],
  ['Adm1n', 'Admin'],
  ['Admln', 'Admin'],
  ['Admins', 'Admin'],
  ['Admin 2', 'Admin'],
  ['Amdin', 'Admin'],
  ['Ａｄｍｉｎ', 'Admin'], // full width
  ['𝐀𝐝𝐦𝐢𝐧', 'Admin'], // mathematical letters
  ['Administrator', 'Admin'],
  ['H.R.', 'HR'],
  ['hr', 'HR'],
  ['НR', 'HR'], // a Cyrillic Н
  ['ΗR', 'HR'], // a Greek Η
  ['Human-Resources', 'HR'],
  ['Team Lead', 'TeamLead'],
  ['team_leads', 'TeamLead'],
  ['TeamIead', 'TeamLead'],
  ['Μanager', 'Manager'], // a Greek Μ
  ['Manger', 'Manager'],
  ['Employée', 'Employee'],
  ['Employees', 'Employee'],
] as const)('%s could be taken for %s', (name, role) => expect(lookalikeOf(name)).toBe(role));

test.each(['Auditor', 'HR assistant', 'Sales manager', 'Line lead', 'Team', 'IT', 'HRIS', 'Personalreferent', '経理'])(
  '%s is a name of its own',
  (name) => expect(lookalikeOf(name)).toBeUndefined(),
);
