import { employees, profile } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import classes from './HomePage.module.css';

/** Who the reader is here: own record, manager, team. */
export function OwnCard({ employee_id: id }: { employee_id: number }) {
  const t = useTranslations('home');
  const own = useQuery(load(profile.get, {})).data?.data.employee;
  const team = useQuery(load(employees.list, { query: { reporting_manager_id: id, per_page: 1 } }));
  const reports = team.data?.meta.total ?? 0;
  if (!own) return null;
  const { reporting_manager: manager } = own;
  return (
    <section className={classes['own']} aria-label={t('me')}>
      <PersonAvatar id={own.id} name={own.display_name} url={own.profile_picture_url} size={56} />
      <div className={classes['ownText']}>
        <strong>
          <bdi>{own.display_name}</bdi>
        </strong>
        <span className="muted">{[own.job_title, own.department.name].filter(Boolean).join(' · ')}</span>
        <span className={classes['links']}>
          <Link to={paths.profile}>{t('myProfile')}</Link>
          {manager && (
            <span>
              {t('reportsTo')}{' '}
              <Link to={paths.employee} params={{ id: String(manager.id) }}>
                <bdi>{manager.name}</bdi>
              </Link>
            </span>
          )}
          {reports > 0 && (
            <Link to={paths.employees} search={{ reporting_manager_id: id }}>
              {t('team', { count: reports })}
            </Link>
          )}
        </span>
      </div>
    </section>
  );
}
