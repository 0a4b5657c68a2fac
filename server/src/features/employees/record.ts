import type { Employee, EmployeeRow, PrivateField } from '@tenure/contract';
import type { Selectable } from 'kysely';
import type { Employees } from '../../db/schema.ts';
import type { Subject } from './policy.ts';
import type { EndFacts } from './rules.ts';

type Stored = Omit<
  Selectable<Employees>,
  | 'search_vector'
  | 'last_name_sort'
  | 'first_name_sort'
  | 'job_title_sort'
  | 'employee_number_sort'
  | 'name'
  | 'address'
  | 'emergency_contact'
  | 'bank'
>;

/** A person as stored, with the names of what the record refers to. */
export type EmployeeRecord = Stored &
  Subject &
  EndFacts & {
    name: string;
    address: NonNullable<Employee['address']> | null;
    emergency_contact: NonNullable<Employee['emergency_contact']> | null;
    bank: NonNullable<Employee['bank']> | null;
    entity_name: string;
    department_name: string;
    manager_number: string | null;
    manager_name: string | null;
    roles: NonNullable<EmployeeRow['roles']>;
    last_login_at: string | null;
    has_password: boolean;
    must_change_password: boolean;
    responsibilities: NonNullable<Employee['responsibilities']>;
  };

/** A person as lists read it: nothing private. */
export type ListedEmployee = Omit<
  EmployeeRecord,
  PrivateField | 'responsibilities' | 'lifecycle_before_separation' | 'has_ties' | 'is_confirmed_ahead' | 'decided_ends'
>;
