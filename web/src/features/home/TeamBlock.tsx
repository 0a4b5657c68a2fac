import { Group, Stack } from '@mantine/core';
import {
  kpiEvaluations,
  type DirectoryPerson,
  type EmployeeRow,
  type employees,
  type KpiEvaluationRow,
  type Reply,
} from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Block } from '../../figures/Figures.tsx';
import { paths } from '../../paths.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { useDayText } from '../../ui/use-day-text.ts';
import { EmployeeStatusBadge } from '../employees/EmployeeStatusBadge.tsx';

type ReportsProps = { page: Reply<typeof employees.list> };

/** The user's direct reports with their status. */
export function Reports({ page }: ReportsProps) {
  const t = useTranslations('home');
  const { can, user } = useSession();
  const { data: people, meta } = page;
  const evaluations = useQuery({
    ...load(kpiEvaluations.list, {
      query: { employee_id: people.map((person) => person.id).join(','), status: open.join(','), per_page: 100 },
    }),
    enabled: can('kpi-evaluation.view'),
  }).data?.data;
  const all = (
    <Link to={paths.employees} search={{ reporting_manager_id: user?.employee_id ?? 0 }}>
      {t('viewTeam', { count: meta.total })}
    </Link>
  );
  return (
    <Block title={t('myTeam')} aside={all}>
      <AutoGrid component="ul" min="17rem" gap="14px 24px" aria-label={t('myTeam')}>
        {people.map((person) => (
          <Member
            key={person.id}
            person={person}
            evaluation={evaluations?.find(({ employee_id }) => employee_id === person.id)}
          />
        ))}
      </AutoGrid>
    </Block>
  );
}

const open = ['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'disputed'] as const;

function Member({ person, evaluation }: { person: EmployeeRow; evaluation: KpiEvaluationRow | undefined }) {
  const t = useTranslations('home');
  const statuses = useTranslations('evaluationStatus');
  const dayText = useDayText();
  const { id, display_name: name, probation_end_date: end, employment_lifecycle: lifecycle } = person;
  const onProbation = lifecycle === 'probationary' && typeof end === 'string';
  const day = onProbation && dayText(end);
  return (
    <Group component="li" gap={12} wrap="nowrap" align="start">
      <PersonAvatar id={id} name={name} url={person.profile_picture_url} size={36} />
      <Stack gap={2} miw={0} fz="sm" lh={1.4}>
        <Group gap={8}>
          <Link to={paths.employee} params={{ id: String(id) }}>
            <bdi>{name}</bdi>
          </Link>
          <EmployeeStatusBadge employee={person} />
        </Group>
        <span className="muted">{day ? t('probationUntil', { day }) : person.job_title}</span>
        {/* The line keeps its height until the evaluation is loaded. */}
        <span className="muted">
          {evaluation ? (
            <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }}>
              {t('evaluationAt', { status: statuses(evaluation.status) })}
            </Link>
          ) : (
            '\u00a0'
          )}
        </span>
      </Stack>
    </Group>
  );
}

const shownColleagues = 6;

const around = ({ managers, colleagues, reports }: DirectoryPerson) => [
  ...managers.slice(-1),
  ...reports,
  ...colleagues,
];

/** Does the user have a manager, reports or colleagues? */
export const hasTeam = (branch: DirectoryPerson | undefined): branch is DirectoryPerson =>
  branch !== undefined && around(branch).length > 0;

/** The people around a user without direct reports: the manager and the colleagues with the same manager. */
export function Colleagues({ branch }: { branch: DirectoryPerson }) {
  const t = useTranslations('home');
  const { manager } = branch;
  const cards = around(branch).slice(0, shownColleagues);
  return (
    <Block title={t('myTeam')} aside={<Link to={paths.orgChart}>{t('viewChart')}</Link>}>
      <AutoGrid component="ul" min="14rem" gap="14px 24px" aria-label={t('myTeam')}>
        {cards.map((card) => (
          <Group component="li" key={card.id} gap={12} wrap="nowrap">
            <PersonAvatar id={card.id} name={card.name} url={card.profile_picture_url} size={36} />
            <Stack gap={2} miw={0} fz="sm" lh={1.4}>
              <Link to={paths.colleague} params={{ id: String(card.id) }}>
                <bdi>{card.name}</bdi>
              </Link>
              <span className="muted">{card.id === manager?.id ? t('yourManager') : card.job_title}</span>
            </Stack>
          </Group>
        ))}
      </AutoGrid>
    </Block>
  );
}
