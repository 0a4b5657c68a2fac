import { Skeleton, Tabs } from '@mantine/core';
import { employees, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { AuditTab } from './profile/AuditTab.tsx';
import { DocumentsTab } from './profile/DocumentsTab.tsx';
import { EmployeeHeader } from './profile/EmployeeHeader.tsx';
import { JobTab } from './profile/JobTab.tsx';
import { Overview } from './profile/Overview.tsx';
import classes from './profile/profile.module.css';
import { profileTabs, type ProfileTab } from './search.ts';

const route = getRouteApi('/shell/employees/$id');

/** One person, as complete as the reader may see them. */
export function EmployeePage() {
  const { id } = route.useParams();
  return isId(id) ? <Profile id={Number(id)} /> : <NotFoundPage />;
}

function Profile({ id }: { id: number }) {
  const t = useTranslations('profile');
  const { can } = useSession();
  const { tab: wanted = 'overview', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(load(employees.get, { params: { id } }));
  if (query.isPending) return <ProfileSkeleton />;
  if (query.isError) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;

  const employee = query.data.data;
  // Whoever sees the lifecycle may see the job history; whoever may read the audit log, the changes.
  const hidden: Partial<Record<ProfileTab, boolean>> = {
    job: employee.employment_lifecycle === undefined,
    history: !can('audit.view'),
  };
  const tabs = profileTabs.filter((tab) => !hidden[tab]);
  const tab = tabs.includes(wanted) ? wanted : 'overview';
  const toPage = (next: number) => void navigate({ search: (old) => ({ ...old, page: next }) });
  return (
    <>
      <EmployeeHeader employee={employee} />
      <Tabs
        className={classes['tabs']}
        value={tab}
        onChange={(next) => void navigate({ search: { tab: next as ProfileTab } })}
        keepMounted={false}
      >
        <Tabs.List className={classes['tabList']}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tabs.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one} className={classes['panel']}>
            <TabContent tab={one} employee={employee} page={page} onPage={toPage} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

type ContentProps = { tab: ProfileTab; employee: Employee; page: number; onPage: (page: number) => void };

function TabContent({ tab, employee, page, onPage }: ContentProps) {
  const paging = { id: employee.id, page, onPage };
  switch (tab) {
    case 'overview':
      return <Overview employee={employee} />;
    case 'job':
      return <JobTab {...paging} />;
    case 'documents':
      return <DocumentsTab {...paging} />;
    case 'history':
      return <AuditTab {...paging} />;
  }
}

function ProfileSkeleton() {
  const t = useTranslations('table');
  return (
    <div className={classes['skeleton']}>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton circle height={64} />
      <Skeleton height={18} width="12rem" />
      <Skeleton height={12} width="20rem" />
    </div>
  );
}
