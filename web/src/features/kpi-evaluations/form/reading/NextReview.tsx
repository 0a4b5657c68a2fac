import { Button } from '@mantine/core';
import { kpiEvaluations, type KpiEvaluation } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../../../api/query.ts';
import { useSession } from '../../../../api/session.tsx';
import { paths } from '../../../../paths.ts';

/** After a review was submitted: the reviewer's next one, the earliest due first. */
export function NextReview({ evaluation: { status, reviewer_id: reviewer } }: { evaluation: KpiEvaluation }) {
  const r = useTranslations('kpiEvaluationReading');
  const { user } = useSession();
  const isMine = status === 'hr_review' && reviewer !== null && reviewer === user?.employee_id;
  const { data } = useQuery({
    ...load(kpiEvaluations.list, {
      query: { to_review: '1', per_page: 1, sort_by: 'due_on', sort_direction: 'asc' },
    }),
    enabled: isMine,
  });
  const next = data?.data[0];
  if (!isMine || !next) return null;
  return (
    <Button
      style={{ justifySelf: 'start' }}
      renderRoot={(props) => <Link {...props} to={paths.kpiEvaluation} params={{ id: String(next.id) }} />}
    >
      {r('nextReview', { count: data.meta.total })}
    </Button>
  );
}
