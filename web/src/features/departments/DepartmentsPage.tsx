import { Box, Button, Menu, Stack, Tabs } from '@mantine/core';
import { IconBuildingPlus, IconDots, IconDownload, IconPlus } from '@tabler/icons-react';
import { activity, departments, entities, type Department, type EntityRow } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Message } from '../../ui/Message.tsx';
import { NoCompany } from '../../ui/NoCompany.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { useTabInView } from '../../ui/use-tab-in-view.ts';
import { CompanyLine } from '../companies/CompanyLine.tsx';
import { CompanyDialogs, DepartmentDialogs } from './dialogs.ts';
import { DepartmentGrid } from './DepartmentGrid.tsx';
import { rowsOf } from './department-tree.ts';
import { allDepartments } from '../../api/all-departments.ts';
import { companyDialogs, dialogs, type DepartmentsSearch } from './search.ts';
import { useDepartmentStatus } from './use-department-status.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Filters } from '../../ui/Filters.tsx';
import tabClasses from '../../ui/PageTabs.module.css';

const route = getRouteApi('/shell/departments');
const maxTabs = 8;
const formats = ['csv', 'xlsx'] as const;

type Change = { [K in keyof DepartmentsSearch]?: DepartmentsSearch[K] | undefined };
type Company = Pick<EntityRow, 'id' | 'name'> & Partial<EntityRow>;

/** The department tree of each company, with leads and numbers of people. */
export function DepartmentsPage() {
  const t = useTranslations('departments');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { companies, isPending, error, refetch } = useCompanies();
  const change = (patch: Change) => void navigate({ search: (old) => ({ ...old, ...patch }) as DepartmentsSearch });
  if (error) return <ErrorState page error={error} onRetry={refetch} />;
  const company = companies.find(({ id }) => id === search.entity_id) ?? companies[0];
  return (
    <>
      <PageHeader title={t('title')} lead={isPending ? '' : t('companies', { count: companies.length })}>
        <Actions company={company} search={search} onChange={change} />
      </PageHeader>
      {isPending && <LoadingLines lines={8} />}
      {!isPending && company && (
        <Companies companies={companies} company={company} onChange={change}>
          <Departments key={company.id} company={company} search={search} onChange={change} />
        </Companies>
      )}
      {!isPending && !company && <NoCompany />}
      <Suspense>
        <CompanyDialogs
          dialog={companyDialogs.find((one) => one === search.dialog)}
          company={company && 'revision' in company ? (company as EntityRow) : undefined}
          onClose={() => change({ dialog: undefined })}
          onCreated={({ id }) => change({ dialog: undefined, entity_id: id, search: undefined, status: undefined })}
          onDeleted={() => change({ dialog: undefined, entity_id: undefined })}
        />
      </Suspense>
    </>
  );
}

/** The companies that the user sees; without the permission to list them, those of the visible departments. */
function useCompanies() {
  const { can } = useSession();
  const mayList = can('entities.view');
  const query: object = { per_page: 100, sort_by: 'name' };
  const listed = useQuery({ ...load(entities.list, { query }), enabled: mayList });
  const seen = useQuery({ ...allDepartments(undefined), enabled: !mayList });
  const asked = mayList ? listed : seen;
  const ofDepartments = new Map((seen.data ?? []).map(({ entity }) => [entity.id, entity]));
  const companies: Company[] = mayList ? (listed.data?.data ?? []) : [...ofDepartments.values()];
  return { companies, isPending: asked.isPending, error: asked.error, refetch: () => void asked.refetch() };
}

type ActionsProps = { company: Company | undefined; search: DepartmentsSearch; onChange: (change: Change) => void };

function Actions({ company, search, onChange }: ActionsProps) {
  const t = useTranslations('departments');
  const { can } = useSession();
  const phone = usePhone();
  const addCompany = () => onChange({ dialog: 'add-company' });
  const filter = { ...(company && { entity_id: company.id }), ...(search.status && { status: search.status }) };
  return (
    <>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={phone ? <IconDots size={16} aria-hidden /> : <IconDownload size={16} aria-hidden />}
          >
            {t(phone ? 'more' : 'export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {phone && can('entities.create') && <Menu.Item onClick={addCompany}>{t('addCompany')}</Menu.Item>}
          <Exports filter={filter} />
        </Menu.Dropdown>
      </Menu>
      {!phone && can('entities.create') && (
        <Button variant="default" leftSection={<IconBuildingPlus size={16} aria-hidden />} onClick={addCompany}>
          {t('addCompany')}
        </Button>
      )}
      {can('departments.create') && company && (
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange({ dialog: 'add', id: undefined })}
        >
          {t('add')}
        </Button>
      )}
    </>
  );
}

function Exports({ filter }: { filter: { entity_id?: number; status?: Department['status'] } }) {
  const t = useTranslations('departments');
  const { can } = useSession();
  return (
    <>
      {formats.map((format) => (
        <Menu.Item
          key={format}
          component="a"
          href={address(departments.export, { query: { ...filter, format, headings: 'words' } })}
          download
        >
          {t(`exportDepartments.${format}`)}
        </Menu.Item>
      ))}
      {can('entities.view') &&
        formats.map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={address(entities.export, { query: { format, headings: 'words' } })}
            download
          >
            {t(`exportCompanies.${format}`)}
          </Menu.Item>
        ))}
    </>
  );
}

type CompaniesProps = {
  companies: readonly Company[];
  company: Company;
  onChange: (change: Change) => void;
  children: ReactNode;
};

/** A tab for each company, or a select if there are many. */
function Companies({ companies, company, onChange, children }: CompaniesProps) {
  const label = useTranslations('fields.department');
  const t = useTranslations('departments');
  const row = useTabInView(String(company.id));
  const to = (id: number | undefined) =>
    onChange({ entity_id: id, search: undefined, status: undefined, dialog: undefined, id: undefined });
  if (companies.length > maxTabs)
    return (
      <Stack flex={1} gap={0} mih={0}>
        <Filters>
          <RecordSelect label={label('entity_id')} list={entities.list} value={company.id} onChange={to} />
        </Filters>
        {children}
      </Stack>
    );
  return (
    <Tabs classNames={tabClasses} value={String(company.id)} onChange={(id) => to(Number(id))} keepMounted={false}>
      <Tabs.List ref={row} aria-label={t('companiesLabel')}>
        {companies.map(({ id, name }) => (
          <Tabs.Tab key={id} value={String(id)}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={String(company.id)} mih="20rem" tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}

type DepartmentsProps = { company: Company; search: DepartmentsSearch; onChange: (change: Change) => void };

function Departments({ company, search, onChange }: DepartmentsProps) {
  const { query, all, rows, toggle } = useRows(company, search);
  const status = useDepartmentStatus();
  return (
    <>
      <CompanyLine company={company} onEdit={() => onChange({ dialog: 'edit-company' })} />
      <DepartmentFilters search={search} onChange={onChange} />
      {status.error && (
        <Box px="gutter" pb={12}>
          <ErrorNotice error={status.error} />
        </Box>
      )}
      {query.isPending && <LoadingLines lines={8} />}
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {!failedWithoutData(query) && rows.length > 0 && (
        <DepartmentGrid
          company={company.name}
          rows={rows}
          onToggle={toggle}
          onDialog={(dialog, id) => onChange({ dialog, id })}
          onStatus={status.change}
        />
      )}
      {query.data && !failedWithoutData(query) && rows.length === 0 && <EmptyState all={all} onChange={onChange} />}
      <Suspense>
        <DepartmentDialogs
          dialog={dialogs.find((one) => one === search.dialog)}
          department={all.find(({ id }) => id === search.id)}
          entityId={company.id}
          onClose={() => onChange({ dialog: undefined, id: undefined })}
          onDeleted={() => {}}
          onDeactivate={status.change}
        />
      </Suspense>
    </>
  );
}

/** The visible rows of a company's tree: those whose parents are expanded. */
function useRows(company: Company, search: DepartmentsSearch) {
  const query = useQuery(allDepartments(company.id));
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const all = query.data ?? [];
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  return { query, all, rows: rowsOf(all, closed, search), toggle };
}

type FiltersProps = { search: DepartmentsSearch; onChange: (change: Change) => void };

function DepartmentFilters({ search, onChange }: FiltersProps) {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  const states = useTranslations('activityStatus');
  const options = [
    { value: 'all', label: t('all') },
    ...activity.map((value) => ({ value, label: states(value) })),
    { value: 'headless', label: t('headless') },
  ];
  return (
    <Filters>
      <SearchField
        w="min(24rem, 100%)"
        label={t('search')}
        value={search.search}
        onChange={(text) => onChange({ search: text })}
      />
      <Pills
        label={label('status')}
        options={options}
        value={search.headless ? 'headless' : (search.status ?? 'all')}
        onChange={(value) =>
          onChange({ status: activity.find((one) => one === value), headless: value === 'headless' || undefined })
        }
      />
    </Filters>
  );
}

function EmptyState({ all, onChange }: { all: readonly Department[]; onChange: (change: Change) => void }) {
  const t = useTranslations('departments');
  const { can } = useSession();
  if (all.length === 0)
    return <Message title={t('none')}>{can('departments.create') ? t('noneText') : undefined}</Message>;
  const clear = (
    <Button variant="default" onClick={() => onChange({ search: undefined, status: undefined, headless: undefined })}>
      {t('clear')}
    </Button>
  );
  return <Message title={t('noResult')} actions={clear} />;
}
