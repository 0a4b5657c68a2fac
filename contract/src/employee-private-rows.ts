import * as z from 'zod';
import { field } from './field-kit.ts';

export const genders = ['male', 'female', 'other'] as const;
export const maritalStatuses = ['single', 'married', 'divorced', 'widowed'] as const;

const line = { kind: 'text', max: 150 } as const;
const bankLine = { kind: 'text', max: 60 } as const;
/** Alternative headings for a part of a field; files of people have a column for each part. */
const called = (...importAs: string[]) => ({ importAs });

/** The fields of a person that only holders of `employees.view_sensitive` and the person see. */
export const employeePrivateRows = {
  date_of_birth: field.day({
    group: 'private',
    importAs: ['birth date', 'dob', 'geb.-datum'],
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
  nationality: field.text({
    group: 'private',
    max: 60,
    importAs: ['citizenship', 'nationalität'],
    export: true,
    section: 'personal',
  }),
  separation_reason: field.kept(z.string().max(500).nullable(), { group: 'private' }),
  personal_email: field.email({
    group: 'private',
    selfEdit: true,
    importAs: ['home email', 'private email'],
    export: true,
    section: 'contact',
  }),
  mobile: field.phone({
    group: 'private',
    selfEdit: true,
    importAs: ['mobile phone', 'cell phone', 'mobil', 'mobilnummer', 'mobiltelefon', 'handy'],
    export: true,
    section: 'contact',
  }),
  address: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'address',
    parts: {
      line1: {
        ...line,
        ...called('street', 'street address', 'address line 1', 'home address', 'straße', 'strasse', 'anschrift'),
      },
      line2: { ...line, hiddenWhenEmpty: true, ...called('address 2', 'adresszusatz') },
      city: { ...line, ...called('town', 'home city', 'ort', 'wohnort', 'stadt') },
      state: { ...line, hiddenWhenEmpty: true, ...called('region', 'province', 'county', 'bundesland') },
      postal_code: { ...line, ...called('zip', 'zip code', 'postcode', 'plz', 'postleitzahl') },
      country: { ...line, ...called('home country', 'country of residence', 'wohnland') },
    },
  }),
  emergency_contact: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'emergency',
    parts: {
      name: { ...line, ...called('emergency contact', 'emergency name', 'notfallkontakt') },
      relation: { ...line, ...called('emergency relation', 'emergency relationship', 'notfallkontakt beziehung') },
      phone: { kind: 'phone', max: 30, ...called('emergency phone', 'emergency number', 'notfallnummer') },
    },
  }),
  // its numbers are masked unless requested
  bank: field.parts({
    group: 'private',
    readOnlyForSelf: true,
    section: 'bank',
    parts: {
      bank_name: { ...bankLine, ...called('bank name', 'name of bank', 'kreditinstitut') },
      branch: { ...bankLine, ...called('bank branch', 'bankfiliale') },
      account_title: { ...bankLine, ...called('account title', 'account name', 'kontoinhaber') },
      account_number: { ...bankLine, ...called('bank account number', 'account no', 'kontonummer') },
      iban: { ...bankLine, ...called('iban number') },
    },
  }),
};
