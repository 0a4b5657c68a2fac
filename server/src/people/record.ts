import type { AbsenceDays, Employee, EmployeeRow, PrivateField } from '@tenure/contract';
import type { Subject } from './policy.ts';
import type { DecidedReviews } from './rules.ts';
import type { StoredEmployee } from './stored-columns.ts';

/** A person as stored, with the names of referenced records. */
export type EmployeeRecord = StoredEmployee &
  Subject &
  DecidedReviews & {
    entity_name: string;
    department_name: string;
    manager_number: string | null;
    manager_name: string | null;
    absence: AbsenceDays | null;
    roles: NonNullable<EmployeeRow['roles']>;
    last_login_at: string | null;
    has_password: boolean;
    must_change_password: boolean;
    invitation: { sent_at: string; expires_at: string } | null;
    address_change: { email: string; sent_at: string; expires_at: string } | null;
    responsibilities: NonNullable<Employee['responsibilities']>;
  };

/** A person as read for lists, without private data. */
export type ListedEmployee = Omit<
  EmployeeRecord,
  | PrivateField
  | 'responsibilities'
  | 'address_change'
  | 'lifecycle_before_separation'
  | 'has_ties'
  | 'has_second_factor'
  | 'is_confirmed_ahead'
  | 'decided_ends'
  | 'is_paused'
  | 'left_before'
>;

/** A person as read for lists of a day, where accounts do not matter. */
export type ListedOnDay = Omit<ListedEmployee, 'cover'>;
