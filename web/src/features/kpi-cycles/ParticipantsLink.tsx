import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import type { CycleSearch } from './search.ts';

type Props = {
  cycleId: number;
  filters: Pick<CycleSearch, 'status' | 'overdue' | 'department_id' | 'reviewer_id' | 'band'>;
  className?: string | undefined;
  children: ReactNode;
};

/** Links a number to its evaluations; plain text for a user who may not see evaluations. */
export function ParticipantsLink({ cycleId, filters, className, children }: Props) {
  const { can } = useSession();
  if (!can('kpi-evaluation.view')) return <span className={className}>{children}</span>;
  return (
    <Link
      to={paths.kpiCycle}
      params={{ id: String(cycleId) }}
      search={{ tab: 'participants', ...filters }}
      className={className}
    >
      {children}
    </Link>
  );
}
