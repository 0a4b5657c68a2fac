import * as z from 'zod';
import { field } from './field-kit.ts';

export const genders = ['male', 'female', 'other'] as const;
export const maritalStatuses = ['single', 'married', 'divorced', 'widowed'] as const;

const line = { kind: 'text', max: 150 } as const;
const bankLine = { kind: 'text', max: 60 } as const;

/** The fields of a person that holders of `employees.view_sensitive` and the person see. */
export const employeePrivateRows = {
  date_of_birth: field.day({
    group: 'private',
    importAs: ['birth date', 'dob'],
    export: true,
    section: 'personal',
  }),
  gender: field.choice(genders, {
    group: 'private',
    short: { m: 'male', f: 'female' },
    importAs: ['sex'],
    export: true,
    section: 'personal',
  }),
  marital_status: field.choice(maritalStatuses, {
    group: 'private',
    selfEdit: true,
    importAs: [],
    export: true,
    section: 'personal',
  }),
  nationality: field.text({ group: 'private', max: 60, importAs: [], export: true, section: 'personal' }),
  separation_reason: field.kept(z.string().max(500).nullable(), { group: 'private' }),
  personal_email: field.email({ group: 'private', selfEdit: true, importAs: [], export: true, section: 'contact' }),
  mobile: field.phone({ group: 'private', selfEdit: true, importAs: [], export: true, section: 'contact' }),
  address: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'address',
    parts: {
      line1: line,
      line2: { ...line, hiddenWhenEmpty: true },
      city: line,
      state: { ...line, hiddenWhenEmpty: true },
      postal_code: line,
      country: line,
    },
  }),
  emergency_contact: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'emergency',
    parts: { name: line, relation: line, phone: { kind: 'phone', max: 30 } },
  }),
  // its numbers are masked until they are asked for
  bank: field.parts({
    group: 'private',
    readOnlyForSelf: true,
    section: 'bank',
    parts: { bank_name: bankLine, branch: bankLine, account_title: bankLine, account_number: bankLine, iban: bankLine },
  }),
};
