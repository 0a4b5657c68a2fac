import type { FileReply } from '../../http/context.ts';
import { sampleReply } from '../../imports/sample.ts';

const rows: Readonly<Record<string, readonly [string, string]>> = {
  employee_number: ['1001', ''],
  first_name: ['Lena', 'Omar'],
  last_name: ['Park', 'Diaz'],
  email: ['lena.park@example.com', 'omar.diaz@example.com'],
  entity: ['Example Foods Ltd', 'Example Foods Ltd'],
  department: ['Purchasing', 'Purchasing'],
  date_of_birth: ['1995-07-14', ''],
  gender: ['female', 'male'],
  marital_status: ['single', 'married'],
  nationality: ['South Korean', 'Spanish'],
  job_title: ['Buyer', 'Head of Purchasing'],
  activity_status: ['active', 'active'],
  employment_lifecycle: ['probationary', 'confirmed'],
  address_line1: ['1 Harbour Road', ''],
  address_postal_code: ['LS1 4AP', ''],
  address_city: ['Leeds', ''],
  address_country: ['United Kingdom', ''],
  emergency_contact_name: ['Min Park', ''],
  emergency_contact_relation: ['Sister', ''],
  emergency_contact_phone: ['+44 113 496 0000', ''],
  bank_account_title: ['Lena Park', ''],
  bank_iban: ['GB33BUKB20201555555555', ''],
};

/** A sample file with all columns and example values. */
export const sampleFile = (format: 'csv' | 'xlsx'): FileReply =>
  sampleReply(format, {
    header: Object.keys(rows),
    rows: [0, 1].map((index) => Object.values(rows).map((cells) => cells[index] ?? '')),
    name: 'employees-sample',
    sheet_name: 'Employees',
  });
