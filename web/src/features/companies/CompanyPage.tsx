import { Button, Menu, Skeleton } from '@mantine/core';
import { IconDots, IconPencil } from '@tabler/icons-react';
import { entities, type Entity } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { isLost, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import classes from './companies.module.css';
import { CompanyDialogs, type CompanyDialog } from './CompanyDialogs.tsx';
import { useCompanyStatus } from './use-company-status.ts';

const route = getRouteApi('/shell/companies/$id');

/** One company: what it is registered as, its rules of probation, who looks after its people. */
export function CompanyPage() {
  const { id } = route.useParams();
  return isId(id) ? <Company id={Number(id)} /> : <NotFoundPage />;
}

function Company({ id }: { id: number }) {
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (next: CompanyDialog | undefined) => void navigate({ search: next ? { dialog: next } : {} });
  const query = useQuery(load(entities.get, { params: { id } }));
  if (query.isPending) return <CompanySkeleton />;
  if (isLost(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const company = query.data.data;
  return (
    <>
      <Header company={company} onDialog={open} />
      <div className={classes['sections']}>
        <Registered company={company} />
        <Probation company={company} />
        <Representatives company={company} />
      </div>
      <CompanyDialogs
        dialog={dialog}
        company={company}
        onClose={() => open(undefined)}
        onDeleted={() => void navigate({ to: paths.departments })}
      />
    </>
  );
}

type HeaderProps = { company: Entity; onDialog: (dialog: CompanyDialog) => void };

function Header({ company, onDialog }: HeaderProps) {
  const t = useTranslations('companies');
  const status = useTranslations('activityStatus');
  const { can } = useSession();
  const { change, error } = useCompanyStatus();
  const mayUpdate = company.allowed_actions.includes('update');
  const lead = (
    <>
      <StatusBadge tone={company.status === 'active' ? 'good' : 'quiet'} label={status(company.status)} />{' '}
      <Link to={paths.departments} search={{ entity_id: company.id }}>
        {t('departments', { count: company.departments_count })}
      </Link>
      {' · '}
      <Link to={paths.employees} search={{ entity_id: company.id, activity_status: 'active' }}>
        {t('people', { count: company.employees_count })}
      </Link>
    </>
  );
  return (
    <>
      <PageHeader title={company.name} lead={lead}>
        {mayUpdate && (
          <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onDialog('edit-company')}>
            {t('edit')}
          </Button>
        )}
        {(mayUpdate || can('entities.delete')) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" aria-label={t('more')} px={9}>
                <IconDots size={18} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {mayUpdate && (
                <Menu.Item onClick={() => change(company)}>
                  {t(company.status === 'active' ? 'deactivate' : 'activate')}
                </Menu.Item>
              )}
              {can('entities.delete') && (
                <Menu.Item color="red" onClick={() => onDialog('delete-company')}>
                  {t('delete.open')}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        )}
      </PageHeader>
      {error && (
        <div className={classes['notice']}>
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}

type Section = { company: Entity };

function Registered({ company }: Section) {
  const t = useTranslations('companies');
  const names = ['code', 'country', 'timezone', 'address', 'registration_number', 'tax_number', 'description'] as const;
  return (
    <Facts
      title={t('registered')}
      facts={names.map((name) => ({ label: t(`field.${name}`), value: company[name] && <bdi>{company[name]}</bdi> }))}
    />
  );
}

function Probation({ company }: Section) {
  const t = useTranslations('companies');
  return (
    <Facts
      title={t('probation')}
      facts={[
        { label: t('field.probation_months'), value: t('months', { count: company.probation_months }) },
        { label: t('field.probation_lead_days'), value: t('days', { count: company.probation_lead_days }) },
        { label: t('field.probation_max_extensions'), value: company.probation_max_extensions },
      ]}
    />
  );
}

function Representatives({ company: { hr_representatives: people } }: Section) {
  const t = useTranslations('companies');
  const links = people.map(({ user_id, employee_id, name }) => (
    <div key={user_id}>
      {employee_id === null ? (
        <bdi>{name}</bdi>
      ) : (
        <Link to={paths.employee} params={{ id: String(employee_id) }}>
          <bdi>{name}</bdi>
        </Link>
      )}
    </div>
  ));
  return <Facts title={t('hr')} facts={[{ label: t('representatives'), value: links.length > 0 ? links : null }]} />;
}

function CompanySkeleton() {
  const t = useTranslations('table');
  return (
    <div className={classes['skeleton']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={22} width="14rem" />
      {Array.from({ length: 6 }, (_, line) => (
        <Skeleton key={line} height={12} width={`${38 + ((line * 9) % 20)}%`} />
      ))}
    </div>
  );
}
