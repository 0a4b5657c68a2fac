import type { Employee } from '@tenure/contract';
import type { Selectable } from 'kysely';
import type { Employees } from '../db/schema.ts';

/** The columns of a person, with the types of the JSON ones. */
export type StoredEmployee = Omit<
  Selectable<Employees>,
  | 'probation_end_entered_at'
  | 'probation_resumed_on'
  | 'probation_pauses'
  | 'search_vector'
  | 'search_text'
  | 'last_name_sort'
  | 'first_name_sort'
  | 'job_title_sort'
  | 'employee_number_sort'
  | 'name'
  | 'address'
  | 'emergency_contact'
  | 'bank'
> & {
  name: string;
  address: NonNullable<Employee['address']> | null;
  emergency_contact: NonNullable<Employee['emergency_contact']> | null;
  bank: NonNullable<Employee['bank']> | null;
};
