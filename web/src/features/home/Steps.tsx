import { Button } from '@mantine/core';
import { IconBuilding, IconFileImport, IconReportAnalytics, IconUserPlus, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import chart from '../../ui/charts/charts.module.css';
import { Block } from '../../figures/Figures.tsx';
import { companiesQuery } from './use-home.ts';

type Step = {
  key: 'createCompany' | 'add' | 'import' | 'reports';
  to: (typeof paths)[keyof typeof paths];
  icon: Icon;
  when: boolean;
};

/** The next steps that the user may take; in an empty installation, the first ones. */
export function Steps({ people }: { people: number | undefined }) {
  const t = useTranslations('home');
  const { can } = useSession();
  const companies = useQuery({ ...companiesQuery, enabled: can('entities.view') });
  const noCompany = companies.data?.meta.total === 0;
  const steps: Step[] = [
    { key: 'createCompany', to: paths.firstCompany, icon: IconBuilding, when: noCompany && can('entities.create') },
    { key: 'add', to: paths.newEmployee, icon: IconUserPlus, when: !noCompany && can('employees.create') },
    { key: 'import', to: paths.newImport, icon: IconFileImport, when: !noCompany && can('employees.import') },
    { key: 'reports', to: paths.reports, icon: IconReportAnalytics, when: !noCompany && can('dashboard.view_all') },
  ];
  const open = steps.filter(({ when }) => when);
  if (open.length === 0) return null;
  return (
    <Block title={t('todo')}>
      {(noCompany || people === 0) && <p className="muted">{t(noCompany ? 'noCompany' : 'noPeople')}</p>}
      <div className={chart['head']}>
        {open.map(({ key, to, icon: Icon }) => (
          <Button key={key} component={Link} to={to} variant="default" leftSection={<Icon size={16} aria-hidden />}>
            {t(key)}
          </Button>
        ))}
      </div>
    </Block>
  );
}
