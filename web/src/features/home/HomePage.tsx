import { IconBuilding, IconFileImport, IconUserPlus, IconUsers } from '@tabler/icons-react';
import { employees, entities } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ComingUp } from './ComingUp.tsx';
import { OwnCard } from './OwnCard.tsx';
import classes from './HomePage.module.css';

/** Where everybody starts: the next sensible step for what they may do. */
export function HomePage() {
  const t = useTranslations('home');
  const { user, can } = useSession();
  const people = useQuery({ ...load(employees.list, { query: { per_page: 1 } }), enabled: can('employees.view') });
  const companies = useQuery({ ...load(entities.list, { query: { per_page: 1 } }), enabled: can('entities.view') });
  const noCompany = companies.data?.meta.total === 0;
  const count = people.data?.meta.total;
  return (
    <>
      <PageHeader title={t('hello', { name: user?.name ?? '' })} lead={t('lead')} />
      {user && user.employee_id !== null && <OwnCard employee_id={user.employee_id} />}
      {can('employees.update') && count !== undefined && count > 0 && <ComingUp />}
      <ul className={classes['steps']} aria-label={t('todo')}>
        {noCompany && can('entities.create') && (
          <Step to={<Link to={paths.firstCompany}>{t('company')}</Link>} icon={<IconBuilding aria-hidden />}>
            {t('companyText')}
          </Step>
        )}
        {can('employees.view') && (
          <Step to={<Link to={paths.employees}>{t('employees')}</Link>} icon={<IconUsers aria-hidden />}>
            {count !== undefined && t('employeesText', { count })}
          </Step>
        )}
        {can('employees.create') && !noCompany && (
          <Step to={<Link to={paths.newEmployee}>{t('add')}</Link>} icon={<IconUserPlus aria-hidden />}>
            {t('addText')}
          </Step>
        )}
        {can('employees.import') && !noCompany && (
          <Step to={<Link to={paths.newImport}>{t('import')}</Link>} icon={<IconFileImport aria-hidden />}>
            {t('importText')}
          </Step>
        )}
      </ul>
    </>
  );
}

const Step = ({ to, icon, children }: { to: ReactNode; icon: ReactNode; children: ReactNode }) => (
  <li className={classes['step']}>
    {icon}
    <div>
      <h2>{to}</h2>
      <p className="muted">{children}</p>
    </div>
  </li>
);
