import { Button } from '@mantine/core';
import type { Responsibility } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';

const pages = {
  department_managed: paths.department,
  department_led: paths.department,
  direct_report: paths.employee,
  evaluation: paths.kpiEvaluation,
  probation_review: paths.probationReview,
  kpi_cycle: paths.kpiCycle,
} as const;

/** The columns of the list, and the name of a row in messages. */
export function useColumns(mayReassign: boolean, onReassign: (row: Responsibility) => void) {
  const t = useTranslations('offboarding');
  const titleOf = ({ kind, name }: Responsibility) => ({ kind: t(`kind.${kind}`), name: name ?? t(`unseen.${kind}`) });
  const columns: Column<Responsibility>[] = [
    {
      id: 'what',
      header: t('what'),
      cell: (row) => <ResponsibilityText row={row} />,
    },
    { id: 'company', header: t('company'), cell: ({ entity }) => entity?.name ?? '' },
    ...(mayReassign
      ? [
          {
            id: 'actions',
            header: t('actions'),
            headerHidden: true,
            cell: (row: Responsibility) => (
              <Button
                variant="default"
                size="xs"
                aria-label={t('reassignOf', titleOf(row))}
                onClick={() => onReassign(row)}
              >
                {t('reassign')}
              </Button>
            ),
          },
        ]
      : []),
  ];
  return { columns, titleOf };
}

/** A responsibility, with a link to its record if the user may see it. */
function ResponsibilityText({ row: { id, kind, name, detail } }: { row: Responsibility }) {
  const t = useTranslations('offboarding');
  return (
    <span>
      {name === null ? (
        t(`unseen.${kind}`)
      ) : (
        <Link to={pages[kind]} params={{ id: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
      )}
      <br />
      <span className="muted">{[t(`kind.${kind}`), detail].filter((part) => part !== null).join(' · ')}</span>
    </span>
  );
}
