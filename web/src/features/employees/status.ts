import type { EmployeeRow } from '@tenure/contract';
import type { Tone } from '../../ui/StatusBadge.tsx';

export type EmployeeStatus = 'active' | 'joining' | 'probation' | 'leaving' | 'resigned' | 'terminated' | 'inactive';

type StatusFields = Pick<EmployeeRow, 'activity_status' | 'employment_lifecycle'>;

/** The status label of a person, derived from the record's two states. */
export function employeeStatus({ activity_status, employment_lifecycle }: StatusFields): EmployeeStatus {
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
