import { sentencesOf } from '../testing/sentences.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkPerson } from './rules.ts';
import type { RuleContext, Purpose } from './rules.ts';
import { emptyValues, merge } from './fields.ts';
import type { Sent, Values } from './fields.ts';

const context: RuleContext = {
  entities: new Map([
    [1, { id: 1, status: 'active', probation_months: 3, today: '2026-04-18' }],
    [2, { id: 2, status: 'inactive', probation_months: 3, today: '2026-04-18' }],
    [3, { id: 3, status: 'active', probation_months: 0, today: '2026-04-18' }],
  ]),
  departments: new Map([
    [10, { id: 10, entity_id: 1, status: 'active' }],
    [11, { id: 11, entity_id: 1, status: 'inactive' }],
    [30, { id: 30, entity_id: 3, status: 'active' }],
  ]),
  managers: new Map([
    [100, { id: 100, is_employed: true }],
    [101, { id: 101, is_employed: false }],
  ]),
  today: '2026-04-18',
};
const lena: Sent = {
  email: 'lena@example.com',
  first_name: 'Lena',
  last_name: 'Park',
  entity_id: 1,
  department_id: 10,
};
const create: Purpose = { kind: 'create' };
const stored: Values = {
  ...emptyValues,
  ...lena,
  employee_number: 'A-1',
  employment_lifecycle: 'confirmed',
  activity_status: 'active',
  employment_type: 'full_time',
} as Values;
const update: Purpose = { kind: 'update', id: 57, stored };
const errorsOf = (purpose: Purpose, sent: Sent) => Object.keys(checkPerson(purpose, sent, context).errors);

test('a new person gets the defaults of the company', () => {
  const { values, errors } = checkPerson(create, { ...lena, joining_date: '2026-02-02' }, context);
  expect(errors).toEqual({});
  expect(values).toMatchObject({
    activity_status: 'active',
    employment_lifecycle: 'probationary',
    employment_type: 'full_time',
    probation_start_date: '2026-02-02',
    probation_end_date: '2026-05-01',
    display_name: null,
  });
});

test('a company without probation confirms at once, and dates are not invented', () => {
  const { values } = checkPerson(
    create,
    { ...lena, entity_id: 3, department_id: 30, joining_date: '2026-02-02' },
    context,
  );
  expect(values).toMatchObject({
    employment_lifecycle: 'confirmed',
    probation_start_date: null,
    probation_end_date: null,
    confirmation_date: null,
  });
});

test('references must exist, be active and belong together', () => {
  expect(errorsOf(create, { ...lena, entity_id: 2 })).toEqual(['entity_id', 'department_id']);
  expect(errorsOf(create, { ...lena, entity_id: 99 })).toEqual(['entity_id', 'department_id']);
  expect(errorsOf(create, { ...lena, department_id: 11 })).toEqual(['department_id']);
  expect(errorsOf(create, { ...lena, department_id: 30 })).toEqual(['department_id']);
  expect(errorsOf(create, { ...lena, reporting_manager_id: 100 })).toEqual([]);
  expect(errorsOf(create, { ...lena, reporting_manager_id: 101 })).toEqual(['reporting_manager_id']);
  expect(errorsOf(create, { ...lena, reporting_manager_id: 102 })).toEqual(['reporting_manager_id']);
  expect(errorsOf({ ...update, id: 100 }, { reporting_manager_id: 100 })).toEqual(['reporting_manager_id']);
});

test('stored references stay valid though they could not be selected today', () => {
  const old = { ...stored, entity_id: 2, department_id: 11, reporting_manager_id: 101 };
  const purpose: Purpose = { kind: 'update', id: 57, stored: old };
  expect(errorsOf(purpose, { entity_id: 2, department_id: 11, reporting_manager_id: 101, grade: 'T1' })).toEqual([]);
  expect(errorsOf({ kind: 'rehire', id: 57, stored: old }, {})).toEqual([
    'entity_id',
    'department_id',
    'reporting_manager_id',
  ]);
});

test('after creation only transitions change states and their dates; the stored value may be sent', () => {
  expect(errorsOf(update, { employment_lifecycle: 'confirmed', activity_status: 'active', notice_date: null })).toEqual(
    [],
  );
  expect(
    errorsOf(update, {
      activity_status: 'inactive',
      employment_lifecycle: 'probationary',
      confirmation_date: '2026-01-01',
      notice_date: '2026-01-01',
      last_working_date: '2026-01-01',
    }),
  ).toEqual(['activity_status', 'employment_lifecycle', 'confirmation_date', 'notice_date', 'last_working_date']);
});

test('at creation state dates need their state', () => {
  expect(errorsOf(create, { ...lena, confirmation_date: '2026-01-01' })).toEqual(['confirmation_date']);
  const confirmed: Sent = { ...lena, employment_lifecycle: 'confirmed' };
  expect(errorsOf(create, { ...confirmed, confirmation_date: '2026-01-01' })).toEqual([]);
  expect(errorsOf(create, { ...confirmed, confirmation_date: '2026-04-19' })).toEqual(['confirmation_date']);
  expect(errorsOf(create, { ...confirmed, notice_date: '2026-01-01', last_working_date: '2026-02-01' })).toEqual([
    'notice_date',
    'last_working_date',
  ]);
  const leaving: Sent = { ...lena, employment_lifecycle: 'resigned' };
  expect(errorsOf(create, { ...leaving, notice_date: '2026-05-01', last_working_date: '2026-04-30' })).toEqual([
    'last_working_date',
  ]);
});

test('a person is active until the last day and inactive after it', () => {
  const leaving: Sent = { ...lena, employment_lifecycle: 'terminated' };
  const activity = (sent: Sent) => checkPerson(create, { ...leaving, ...sent }, context).values.activity_status;
  expect(activity({ last_working_date: '2026-04-17' })).toBe('inactive');
  expect(activity({ last_working_date: '2026-04-18' })).toBe('active');
  expect(activity({})).toBe('inactive');
  expect(errorsOf(create, { ...leaving, last_working_date: '2026-04-17', activity_status: 'active' })).toEqual([
    'activity_status',
  ]);
});

test('a person starts work at 14 or older, and the birth date is in the past', () => {
  const born: Sent = { ...lena, date_of_birth: '2012-04-18' };
  expect(errorsOf(create, { ...born, joining_date: '2026-04-18' })).toEqual([]);
  expect(errorsOf(create, { ...born, joining_date: '2026-04-17' })).toEqual(['joining_date']);
  expect(errorsOf(create, { ...lena, date_of_birth: '2026-04-18' })).toEqual(['date_of_birth']);
  // a person born on a leap day can start on the last day of February
  expect(errorsOf(create, { ...lena, date_of_birth: '2000-02-29', joining_date: '2014-02-28' })).toEqual([]);
});

test('probation ends after it starts, and a past end is a warning', () => {
  expect(errorsOf(create, { ...lena, probation_start_date: '2026-02-02', probation_end_date: '2026-02-02' })).toEqual([
    'probation_end_date',
  ]);
  const late = checkPerson(create, { ...lena, joining_date: '2025-12-01' }, context);
  expect([late.errors, sentencesOf(late.warnings)]).toEqual([
    {},
    { probation_end_date: ['The probation end date is in the past.'] },
  ]);
});

test('a rehired person starts a new probation and keeps the rest', () => {
  const gone: Values = {
    ...stored,
    employment_lifecycle: 'resigned',
    activity_status: 'inactive',
    last_working_date: '2026-03-31',
    probation_end_date: '2020-01-01',
    phone: '12345',
  };
  const { values, errors } = checkPerson(
    { kind: 'rehire', id: 57, stored: gone },
    { joining_date: '2026-04-20' },
    context,
  );
  expect(errors).toEqual({});
  expect(values).toMatchObject({
    employment_lifecycle: 'probationary',
    activity_status: 'joining',
    last_working_date: null,
    probation_start_date: '2026-04-20',
    probation_end_date: '2026-07-19',
    phone: '12345',
  });
});

test('a display name equal to the name is cleared and follows it', () => {
  expect(merge(stored, { display_name: 'Lena Park' }).display_name).toBeNull();
  expect(merge(stored, { display_name: 'Lena Park', last_name: 'Reed' }).display_name).toBeNull();
  expect(merge(stored, { display_name: 'Lena Reed', last_name: 'Reed' }).display_name).toBeNull();
  expect(merge(stored, { display_name: 'Lenny' }).display_name).toBe('Lenny');
  expect(merge({ ...stored, display_name: 'Lenny' }, { last_name: 'Reed' }).display_name).toBe('Lenny');
});

test('objects merge key by key, null clears them, and masked numbers change nothing', () => {
  const bank = { bank_name: 'Leeds', branch: null, account_title: null, account_number: '12345678', iban: null };
  const known = { ...stored, bank };
  expect(merge(known, { bank: { branch: 'Mill Road', account_number: '****5678' } }).bank).toEqual({
    ...bank,
    branch: 'Mill Road',
  });
  expect(merge(known, { bank: { bank_name: null, account_number: null } }).bank).toBeNull();
  expect(merge(known, { bank: null }).bank).toBeNull();
  expect(merge(stored, { address: {} }).address).toBeNull();
});

test('sending stored values back changes nothing, whatever is stored', () => {
  const text = fc.option(fc.string({ minLength: 1, maxLength: 5 }), { nil: null });
  const person = fc.record({
    grade: text,
    phone: text,
    display_name: text,
    address: fc.record({ city: text, line1: text }),
  });
  fc.assert(
    fc.property(person, (sent) => {
      const values = merge(stored, sent);
      const again = checkPerson({ kind: 'update', id: 57, stored: values }, values, context);
      expect(again.changed).toEqual([]);
    }),
  );
});

test('messages come in the order of the fields', () => {
  expect(sentencesOf(checkPerson(create, {}, context).errors)).toEqual({
    first_name: ['The first name field is required.'],
    last_name: ['The last name field is required.'],
    entity_id: ['The company field is required.'],
    department_id: ['The department field is required.'],
  });
});
