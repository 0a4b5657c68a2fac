import { expect, test } from 'vitest';
import type { conflictRules, ImportColumn } from '@tenure/contract';
import { importFields } from '@tenure/contract';
import { isLeftOut, layoutOf, mapColumns, missingFields } from '../../imports/columns.ts';
import type { Defaults, Mapping } from '../../imports/columns.ts';
import { vocabulary } from './kind.ts';

const missing = (columns: readonly ImportColumn[], defaults: Defaults, on_conflict: (typeof conflictRules)[number]) =>
  missingFields(vocabulary, columns, defaults, on_conflict);

const read = (headings: string[], mapping: Mapping | null = null) =>
  mapColumns(vocabulary, headings, mapping).map(({ field, source }) => [field, source]);
const columnsOf = (headings: string[], mapping: Mapping | null = null) =>
  mapColumns(vocabulary, headings, mapping).map((found, index) => ({
    header: headings[index] ?? '',
    sample: null,
    ...found,
  }));

test('every field is read from a heading with its name, in any case and with space, underscore or hyphen', () => {
  for (const name of Object.keys(importFields))
    for (const heading of [name, name.toUpperCase(), name.replaceAll('_', ' '), name.replaceAll('_', '-')])
      expect(read([heading])).toEqual([[name, 'exact']]);
});

test('aliases map to their fields', () => {
  expect(read(['Emp No', 'given-name', 'SURNAME', 'Work Email', 'Company', 'Dept', 'DOB', 'Sex', 'Position'])).toEqual(
    [
      'employee_number',
      'first_name',
      'last_name',
      'email',
      'entity',
      'department',
      'date_of_birth',
      'gender',
      'job_title',
    ].map((field) => [field, 'alias']),
  );
  expect(read(['Manager No', 'Status', 'Hire Date', 'E-Mail'])).toEqual([
    ['reporting_manager', 'alias'],
    ['activity_status', 'alias'],
    ['joining_date', 'alias'],
    ['email', 'exact'],
  ]);
});

test('labels of fields in every language map to their fields', () => {
  const german = ['Personalnummer', 'Vorname', 'Nachname', 'Dienstliche E-Mail', 'Unternehmen', 'Abteilung'];
  const fields = ['employee_number', 'first_name', 'last_name', 'email', 'entity', 'department'];
  expect(read(german)).toEqual(fields.map((field) => [field, 'alias']));
  expect(read(['Eintrittsdatum', 'Berichtet an', 'Employment status'])).toEqual(
    ['joining_date', 'reporting_manager', 'employment_lifecycle'].map((field) => [field, 'alias']),
  );
});

test('headings that exports of other systems have in English and German map to their fields', () => {
  const known: Record<string, string> = {
    'Personal-Nr.': 'employee_number',
    Mitarbeiternummer: 'employee_number',
    'E-Mail-Adresse': 'email',
    'Home Email': 'personal_email',
    Firma: 'entity',
    'Legal entity': 'entity',
    Vorgesetzter: 'reporting_manager',
    Führungskraft: 'reporting_manager',
    'Line Manager': 'reporting_manager',
    Stelle: 'job_title',
    Einstellungsdatum: 'joining_date',
    Austrittsdatum: 'last_working_date',
    'Termination Date': 'last_working_date',
    Probezeitende: 'probation_end_date',
    Entgeltgruppe: 'grade',
    Handy: 'mobile',
    'Mobile Phone': 'mobile',
    'Work Phone': 'phone',
  };
  for (const [heading, field] of Object.entries(known)) expect(read([heading]), heading).toEqual([[field, 'alias']]);
});

test('the letters of a heading in the middle of a name are no likeness', () => {
  expect(read(['onfir', 'ploym'])).toEqual([
    [null, 'ignored'],
    [null, 'ignored'],
  ]);
});

test('a similar heading is suggested and not applied', () => {
  const columns = columnsOf(['Employee e-mail address', 'Fist name', 'Shoe size', 'password']);
  expect(columns.map(({ field, source }) => [field, source])).toEqual([
    ['email', 'suggested'],
    ['first_name', 'suggested'],
    [null, 'ignored'],
    [null, 'ignored'],
  ]);
  expect(layoutOf(columns).size).toBe(0);
  expect(columns.every(isLeftOut)).toBe(true);
});

test('a field is read from one column: a chosen one before an exact name before an alias', () => {
  expect(read(['Mail', 'Email'])).toEqual([
    ['personal_email', 'suggested'],
    ['email', 'exact'],
  ]);
  expect(read(['Mail', 'Email'], { mail: 'email', Email: null })).toEqual([
    ['email', 'chosen'],
    [null, 'chosen'],
  ]);
});

test('a column skipped by choice, or the one of an error file, is no loss', () => {
  expect(columnsOf(['Shoe size', 'errors'], { 'Shoe size': null }).some(isLeftOut)).toBe(false);
});

test('required fields need a column or a default, except for updates by number', () => {
  const columns = columnsOf(['employee_number', 'first_name', 'email', 'dept']);
  expect(missing(columns, {}, 'fail')).toEqual(['last_name', 'entity_id']);
  expect(missing(columns, { last_name: 'X', entity: 'Acme' }, 'fail')).toEqual([]);
  expect(missing(columns, { entity_id: null }, 'fail')).toEqual(['last_name', 'entity_id']);
  expect(missing(columns, {}, 'update')).toEqual([]);
  expect(missing(columnsOf(['email']), {}, 'update')).not.toEqual([]);
});
