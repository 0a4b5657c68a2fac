import { employeeFieldGroups } from '@tenure/contract';
import { itemOf } from './service.ts';

/** A person as seen by a user with the least permissions in scope. */
export const card = {
  id: 57,
  employee_number: 'ACME-057',
  email: 'lena.park@acme.example',
  first_name: 'Lena',
  last_name: 'Park',
  salutation: null,
  middle_name: null,
  display_name: 'Lena Park',
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  department_id: 4,
  department: { id: 4, name: 'Purchasing' },
  job_title: 'Buyer',
  reporting_manager_id: 23,
  reporting_manager: { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' },
  profile_picture_url: null,
  activity_status: 'active',
  today: '2026-04-20',
  revision: 1,
  created_at: '2026-01-20T09:00:00.000Z',
  updated_at: '2026-03-02T08:00:00.000Z',
  allowed_actions: [],
};

const privately = new Set<string>(employeeFieldGroups.private);

/** The same person as HR gets them without private details. */
export const closed = (record: Record<string, unknown>) => ({
  ...Object.fromEntries(Object.entries(record).filter(([field]) => !privately.has(field))),
  private_details: 'on_request',
});

/** Answers with private details only if the request asks for them. */
export const onRequest =
  (record: Record<string, unknown>) =>
  ({ url }: { url: URL }) =>
    itemOf(url.searchParams.has('reveal') ? { ...record, private_details: 'included' } : closed(record));

/** The same person as HR sees them. */
export const complete = {
  ...card,
  employment_lifecycle: 'probationary',
  grade: 'T2',
  employment_type: 'full_time',
  phone: '+44 113 496 0101',
  joining_date: '2026-02-02',
  early_access: false,
  probation_start_date: '2026-02-02',
  probation_end_date: '2026-05-02',
  confirmation_date: null,
  extension_count: 0,
  probation_paused_from: null,
  notice_date: null,
  last_working_date: null,
  roles: [{ id: 5, name: 'Employee', entity_ids: null }],
  user: { id: 61, last_login_at: null, has_password: true, must_change_password: false },
  date_of_birth: '1995-07-14',
  gender: 'female',
  marital_status: null,
  nationality: 'South Korean',
  separation_reason: null,
  personal_email: null,
  mobile: null,
  address: { line1: '8 Park Row', line2: null, city: 'Leeds', state: null, postal_code: 'LS1 5HD', country: 'GB' },
  emergency_contact: null,
  bank: {
    bank_name: 'Northern Bank',
    branch: null,
    account_title: 'Lena Park',
    account_number: '****4711',
    iban: '****0815',
  },
};
