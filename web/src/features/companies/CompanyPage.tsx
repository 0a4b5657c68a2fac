import { Box, Button, Menu, Stack } from '@mantine/core';
import { IconDots, IconPencil } from '@tabler/icons-react';
import { entities, type Entity } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { ActionWithMenu } from '../../ui/ActionWithMenu.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { useValueText } from '../../ui/row-values.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { companyFields, rowOf, type CompanyField } from './company-fields.ts';
import type { CompanyDialog } from './CompanyDialogs.tsx';
import { useCompanyStatus } from './use-company-status.ts';

const CompanyDialogs = lazyPart(() => import('./CompanyDialogs.tsx'), 'CompanyDialogs');

const route = getRouteApi('/shell/companies/$id');

/** A company: registration, probation rules and its HR representatives. */
export function CompanyPage() {
  const { id } = route.useParams();
  return isId(id) ? <Company id={Number(id)} /> : <NotFoundPage />;
}

function Company({ id }: { id: number }) {
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (next: CompanyDialog | undefined) => void navigate({ search: next ? { dialog: next } : {} });
  const query = useQuery(load(entities.get, { params: { id } }));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const company = query.data.data;
  return (
    <>
      <Header company={company} onDialog={open} />
      <Stack gap={28} px="gutter" pt={4} pb={32}>
        <Section company={company} section="registered" />
        <Section company={company} section="probation" />
        <Section company={company} section="kpi" />
        <Representatives company={company} />
      </Stack>
      <Suspense>
        <CompanyDialogs
          dialog={dialog}
          company={company}
          onClose={() => open(undefined)}
          onDeleted={() => void navigate({ to: paths.departments })}
        />
      </Suspense>
    </>
  );
}

type HeaderProps = { company: Entity; onDialog: (dialog: CompanyDialog) => void };

function Header({ company, onDialog }: HeaderProps) {
  const t = useTranslations('companies');
  const { change, error } = useCompanyStatus();
  return (
    <>
      <PageHeader title={company.name} lead={<Lead company={company} />}>
        <ActionWithMenu>
          {company.allowed_actions.includes('update') && (
            <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onDialog('edit-company')}>
              {t('edit')}
            </Button>
          )}
          <CompanyMenu company={company} onDialog={onDialog} onStatus={() => change(company)} />
        </ActionWithMenu>
      </PageHeader>
      {error && (
        <Box px="gutter" pb={12}>
          <ErrorNotice error={error} />
        </Box>
      )}
    </>
  );
}

function Lead({ company }: { company: Entity }) {
  const t = useTranslations('companies');
  const status = useTranslations('activityStatus');
  return (
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
}

function CompanyMenu({ company, onDialog, onStatus }: HeaderProps & { onStatus: () => void }) {
  const t = useTranslations('companies');
  const { can } = useSession();
  const mayUpdate = company.allowed_actions.includes('update');
  if (!mayUpdate && !can('entities.delete')) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" aria-label={t('more')} px={9}>
          <IconDots size={18} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          renderRoot={(props) => <Link {...props} to={paths.companyBrand} params={{ id: String(company.id) }} />}
        >
          {t('brand')}
        </Menu.Item>
        {mayUpdate && (
          <Menu.Item onClick={onStatus}>{t(company.status === 'active' ? 'deactivate' : 'activate')}</Menu.Item>
        )}
        {can('entities.delete') && (
          <Menu.Item color="red" onClick={() => onDialog('delete-company')}>
            {t('delete.open')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

type SectionProps = { company: Entity; section: 'registered' | 'probation' | 'kpi' };

/** The fields of a section; the name is the heading of the page. */
function Section({ company, section }: SectionProps) {
  const t = useTranslations('companies');
  const label = useTranslations('fields.entity');
  const text = useValueText(label);
  const names = companyFields.filter((name) => rowOf(name).section === section && name !== 'name');
  const shown = (name: CompanyField) => {
    const row = rowOf(name);
    const value = company[name];
    if (typeof value === 'number') return row.unit ? t(row.unit, { count: value }) : value;
    if (value === false) return t('no');
    return value && <bdi>{text(name, row, value)}</bdi>;
  };
  return (
    <DescriptionList title={t(section)} items={names.map((name) => ({ label: label(name), value: shown(name) }))} />
  );
}

function Representatives({ company: { hr_representatives: people } }: { company: Entity }) {
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
  return (
    <DescriptionList
      title={t('hr')}
      items={[{ label: t('representatives'), value: links.length > 0 ? links : null }]}
    />
  );
}
