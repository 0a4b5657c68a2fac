import { employees, profile, type Dashboard } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Day } from '../../ui/Dates.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import chart from '../../ui/charts/charts.module.css';
import { Block } from '../../figures/Figures.tsx';
import { usePercent } from '../../ui/use-percent.ts';

type Props = { employee_id: number; me: Dashboard['me'] | undefined };

/** The user's own record, manager, team and reviews. */
export function OwnCard({ employee_id: id, me }: Props) {
  const t = useTranslations('home');
  const own = useQuery(load(profile.get, {})).data?.data.employee;
  const team = useQuery(load(employees.list, { query: { reporting_manager_id: id, per_page: 1 } }));
  const reports = team.data?.meta.total ?? 0;
  if (!own) return null;
  const { reporting_manager: manager } = own;
  return (
    <Block title={t('me')} aside={<Link to={paths.profile}>{t('myProfile')}</Link>}>
      <div className={chart['head']}>
        <PersonAvatar id={own.id} name={own.display_name} url={own.profile_picture_url} size={48} />
        <div>
          <strong>
            <bdi>{own.display_name}</bdi>
          </strong>
          <p className="muted">{[own.job_title, own.department.name].filter(Boolean).join(' · ')}</p>
          {manager && (
            <p>
              {t('reportsTo')}{' '}
              <Link to={paths.employee} params={{ id: String(manager.id) }}>
                <bdi>{manager.name}</bdi>
              </Link>
            </p>
          )}
          {reports > 0 && (
            <p>
              <Link to={paths.employees} search={{ reporting_manager_id: id }}>
                {t('team', { count: reports })}
              </Link>
            </p>
          )}
        </div>
      </div>
      {me && <OwnReviews me={me} />}
    </Block>
  );
}

function OwnReviews({ me: { evaluation, last_results, probation } }: { me: NonNullable<Dashboard['me']> }) {
  const t = useTranslations('home');
  const tStatus = useTranslations('evaluationStatus');
  const percent = usePercent(1);
  return (
    <ul>
      {evaluation && (
        <li>
          <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }}>
            {t('myEvaluation')}
          </Link>
          : {tStatus(evaluation.status)}
          {evaluation.due_on !== null && (
            <>
              {' '}
              · {t('due')} <Day value={evaluation.due_on} />
            </>
          )}
        </li>
      )}
      {probation && probation.end_date !== null && (
        <li>
          {t('myProbation')} <Day value={probation.end_date} />
        </li>
      )}
      {last_results.map(({ cycle, overall_percentage: value }) => (
        <li key={cycle.id}>
          <bdi>{cycle.name}</bdi>: {percent(value)}
        </li>
      ))}
    </ul>
  );
}
