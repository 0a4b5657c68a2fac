import { Skeleton, Tabs } from '@mantine/core';
import { employees, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { PrintedBy } from '../../../ui/paper.ts';
import { dialogsFor } from './actions.ts';
import { EmployeeHeader } from './EmployeeHeader.tsx';
import { Overview } from './Overview.tsx';
import { usePrivateDetails } from './use-private-details.ts';
import { useReturnFocus } from './use-return-focus.ts';
import type { HistoryFilter } from '../history/HistoryTab.tsx';
import { profileTabs, type DialogName, type ProfileTab, type Section } from '../search.ts';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { WithSummary } from '../summary/WithSummary.tsx';
import tabClasses from '../../../ui/PageTabs.module.css';
import { useTabInView } from '../../../ui/use-tab-in-view.ts';

const route = getRouteApi('/shell/employees/$id');

const EmployeeDialog = lazyPart(
  () => import('../lifecycle/EmployeeDialogs.tsx'),
  'EmployeeDialog',
  'steps',
  'one-time-password',
  'file-check',
  'absences',
);

const AccessTab = lazyPart(
  () => import('../access/AccessTab.tsx'),
  'AccessTab',
  'access',
  'add-person',
  'permissions',
  'sign-in-ways',
);
const AsOf = lazyPart(() => import('./AsOf.tsx'), 'AsOf', 'as-of');
const UnknownDay = lazyPart(() => import('./UnknownDay.tsx'), 'UnknownDay', 'as-of');
const JobTab = lazyPart(() => import('./JobTab.tsx'), 'JobTab');
const DocumentsTab = lazyPart(
  () => import('../documents/DocumentsTab.tsx'),
  'DocumentsTab',
  'person-documents',
  'file-check',
);
const ReviewsTab = lazyPart(
  () => import('../reviews/ReviewsTab.tsx'),
  'ReviewsTab',
  'person-reviews',
  'probation-words',
);
const HistoryTab = lazyPart(() => import('../history/HistoryTab.tsx'), 'HistoryTab', 'audit');

/** A person's record, as far as the user may see it. */
export function EmployeePage() {
  const { id } = route.useParams();
  return isId(id) ? <Profile key={id} id={Number(id)} /> : <NotFoundPage />;
}

function Profile({ id }: { id: number }) {
  const { as_of } = route.useSearch();
  const query = useQuery(load(employees.get, { params: { id }, ...(as_of && { query: { as_of } }) }));
  if (query.isPending)
    return (
      <LoadingLines lines={2}>
        <Skeleton circle height={64} />
      </LoadingLines>
    );
  if (as_of && query.error?.status === 422 && failedWithoutData(query))
    return (
      <Suspense fallback={null}>
        <UnknownDay id={id} day={as_of} error={query.error} />
      </Suspense>
    );
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Person known={query.data.data} />;
}

const historySearch = ({ kind, from, to }: HistoryFilter) => ({
  tab: 'history' as const,
  ...(kind && { kind }),
  ...(from && { from }),
  ...(to && { to }),
});

/** Navigates within the profile: tab, page, edit or dialog. The list it was opened from is kept. */
function useGo() {
  const navigate = route.useNavigate();
  return {
    tab: (tab: ProfileTab) => void navigate({ search: { tab }, state: true }),
    page: (page: number) =>
      void navigate({ search: ({ edit: _edit, do: _open, ...old }) => ({ ...old, page }), state: true }),
    history: (filter: HistoryFilter) => void navigate({ search: historySearch(filter), state: true }),
    edit: (edit: Section | undefined) =>
      // Closing a form needs no confirmation; switching to another section does.
      void navigate({ search: edit ? { edit } : {}, state: true, ignoreBlocker: edit === undefined }),
    dialog: (name: DialogName | undefined) =>
      void navigate({ search: ({ do: _open, ...old }) => (name ? { ...old, do: name } : old), state: true }),
  };
}

function Person({ known }: { known: Employee }) {
  const t = useTranslations('profile');
  const { tab: wanted = 'overview', edit, do: dialog } = route.useSearch();
  const go = useGo();
  const details = usePrivateDetails(known, edit);
  const employee = details.record ?? known;
  const tabs = useTabs(employee);
  const tab = tabs.includes(wanted) ? wanted : 'overview';
  const row = useTabInView(tab);
  return (
    <>
      {known.as_of && (
        <Suspense fallback={null}>
          <AsOf day={known.as_of.date} today={known.today} job={known.as_of} />
        </Suspense>
      )}
      <EmployeeHeader employee={employee} onDialog={go.dialog} />
      <WithSummary employee={employee} onlyBeside={tab !== 'overview'}>
        <Tabs classNames={tabClasses} value={tab} onChange={(next) => go.tab(next as ProfileTab)} keepMounted={false}>
          <Tabs.List ref={row}>
            {tabs.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tabs.${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {tabs.map((one) => (
            <Tabs.Panel key={one} value={one}>
              <Suspense fallback={<LoadingLines lines={4} />}>
                <TabContent tab={one} employee={employee} details={details} go={go} />
              </Suspense>
            </Tabs.Panel>
          ))}
        </Tabs>
      </WithSummary>
      <Suspense>
        <PrintedBy />
      </Suspense>
      <OpenDialog employee={employee} name={dialog} onClose={() => go.dialog(undefined)} />
    </>
  );
}

/** The user's tabs: the job history needs access to the lifecycle, the changes need the audit log. */
function useTabs(employee: Employee): readonly ProfileTab[] {
  const { can } = useSession();
  const hidden: Partial<Record<ProfileTab, boolean>> = {
    job: employee.employment_lifecycle === undefined,
    reviews: !can('kpi-evaluation.view') && !can('probation-review.view'),
    access:
      !can('employees.assign_roles') &&
      !employee.allowed_actions.some((action) => action === 'reset-password' || action === 'sign-in-block'),
    history: !can('audit.view'),
  };
  return profileTabs.filter((tab) => !hidden[tab]);
}

type ContentProps = {
  tab: ProfileTab;
  employee: Employee;
  details: ReturnType<typeof usePrivateDetails>;
  go: ReturnType<typeof useGo>;
};

function TabContent({ tab, employee, details, go }: ContentProps) {
  const { page = 1, edit, kind, from, to } = route.useSearch();
  const { allowed_actions: may } = employee;
  const paging = { id: employee.id, page, onPage: go.page };
  switch (tab) {
    case 'overview':
      return <Overview employee={employee} edit={edit} onEdit={go.edit} details={details} />;
    case 'job':
      return <JobTab {...paging} employee={employee} onDialog={go.dialog} />;
    case 'reviews':
      return <ReviewsTab id={employee.id} />;
    case 'documents':
      return <DocumentsTab {...paging} mayAdd={may.includes('add-file')} />;
    case 'access':
      return <AccessTab employee={employee} onReset={go.dialog} />;
    case 'history':
      return <HistoryTab {...paging} filter={{ kind, from, to }} onFilter={go.history} />;
  }
}

type DialogProps = { employee: Employee; name: DialogName | undefined; onClose: () => void };

/** The dialog named in the address, if the step is allowed. */
function OpenDialog({ employee, name, onClose }: DialogProps) {
  const open = name !== undefined && dialogsFor(employee).includes(name);
  useReturnFocus(open);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <EmployeeDialog key={name} name={name} employee={employee} onClose={onClose} />
    </Suspense>
  );
}
