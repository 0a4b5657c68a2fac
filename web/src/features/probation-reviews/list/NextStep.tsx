import { Button } from '@mantine/core';
import { probationSteps, type UpcomingProbation } from '@tenure/contract';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';

type Props = { row: UpcomingProbation; onSetReviewer: (row: UpcomingProbation) => void };

/** The step that fixes the next problem of a probation's end. */
export function NextStep({ row, onSetReviewer }: Props) {
  const t = useTranslations('probation');
  const { can } = useSession();
  const { employee, problems, review } = row;
  const named = <span className="visually-hidden"> {employee.name}</span>;
  const mayOpen = can('probation-review.create');
  if (problems.includes('no_end_date') && row.allowed_actions.includes('extend'))
    return (
      <Link to={paths.employee} params={{ id: String(employee.id) }} search={{ edit: 'employment' }}>
        {t('setEnd')}
        {named}
      </Link>
    );
  if (!review && row.probation_end_date !== null && row.paused_from === null && mayOpen)
    return <OpenReview row={row} />;
  if (problems.includes('no_reviewer') && review && mayOpen)
    return (
      <Button variant="default" size="compact-sm" onClick={() => onSetReviewer(row)}>
        {t('setReviewer')}
        {named}
      </Button>
    );
  return null;
}

/** Highlighted once it is due. */
function OpenReview({ row: { employee, problems } }: Pick<Props, 'row'>) {
  const t = useTranslations('probation');
  const navigate = useNavigate();
  const create = useSend(probationSteps.create);
  const open = () =>
    create.mutate(
      { body: { employee_id: employee.id } },
      { onSuccess: ({ data }) => void navigate({ to: paths.probationReview, params: { id: String(data.id) } }) },
    );
  return (
    <>
      <Button
        variant={problems.includes('no_review') ? 'light' : 'default'}
        size="compact-sm"
        loading={create.isPending}
        onClick={open}
      >
        {t('openReview')}
        <span className="visually-hidden"> {employee.name}</span>
      </Button>
      <ErrorNotice error={create.error} />
    </>
  );
}
