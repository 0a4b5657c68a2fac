import type { EmployeeRow } from '@tenure/contract';
import type { Tone } from '../../ui/StatusBadge.tsx';

export type EmployeeStatus = 'active' | 'joining' | 'probation' | 'leaving' | 'resigned' | 'terminated' | 'inactive';

type StatusFields = Pick<EmployeeRow, 'activity_status' | 'employment_lifecycle'> &
  Partial<Pick<EmployeeRow, 'as_of' | 'last_working_date'>>;

/** As of a day a person is active until the last working day. */
const activityOf = ({ activity_status, as_of, last_working_date: last }: StatusFields) =>
  !as_of ? activity_status : last && as_of.date > last ? 'inactive' : 'active';

/** The status label of a person, derived from the record's two states. */
export function employeeStatus(person: StatusFields): EmployeeStatus {
  const { employment_lifecycle } = person;
  const activity_status = activityOf(person);
  const ended = employment_lifecycle === 'resigned' || employment_lifecycle === 'terminated';
  if (activity_status === 'active') {
    if (ended) return 'leaving';
    return employment_lifecycle === 'probationary' ? 'probation' : 'active';
  }
  if (activity_status === 'joining') return ended ? 'leaving' : 'joining';
  return ended ? employment_lifecycle : 'inactive';
}

export const statusTones: Record<EmployeeStatus, Tone> = {
  active: 'good',
  joining: 'info',
  probation: 'warn',
  leaving: 'warn',
  resigned: 'quiet',
  terminated: 'quiet',
  inactive: 'quiet',
};
