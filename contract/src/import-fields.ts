/** What a column of a file of people may be read as, with the headings that mean the same; in the order of the sample file. */
export const importFields = {
  employee_number: ['emp no', 'emp id', 'employee id', 'staff no'],
  first_name: ['given name'],
  last_name: ['surname', 'family name'],
  email: ['work email', 'mail'],
  entity_id: [],
  entity: ['company'],
  department_id: [],
  department: ['dept'],
  date_of_birth: ['birth date', 'dob'],
  gender: ['sex'],
  marital_status: [],
  nationality: [],
  job_title: ['title', 'position'],
  activity_status: ['status'],
  employment_lifecycle: [],
  reporting_manager: ['manager', 'manager no', 'reports to', 'supervisor'],
  joining_date: ['hire date', 'start date'],
  probation_start_date: [],
  probation_end_date: [],
  confirmation_date: [],
  notice_date: [],
  last_working_date: [],
  middle_name: [],
  display_name: [],
  salutation: [],
  employment_type: [],
  grade: [],
  phone: [],
  mobile: [],
  personal_email: [],
  role: [],
} as const satisfies Record<string, readonly string[]>;
export type ImportField = keyof typeof importFields;

/** What a file of new people must say; where there are two ways to say it, one of them. */
export const requiredImportFields = [
  ['first_name'],
  ['last_name'],
  ['email'],
  ['entity_id', 'entity'],
  ['department_id', 'department'],
] as const satisfies readonly (readonly ImportField[])[];
