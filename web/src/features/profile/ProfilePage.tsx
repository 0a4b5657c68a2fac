import { Box, Tabs, Text } from '@mantine/core';
import { employees, profile, type Profile } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PaperActions, PrintedBy } from '../../ui/paper.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Overview } from '../employees/record/Overview.tsx';
import type { Section } from '../employees/search.ts';
import { WithSummary } from '../employees/summary/WithSummary.tsx';
import { OwnPicture } from './OwnPicture.tsx';
import { ownTabs, type OwnTab } from './search.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import tabClasses from '../../ui/PageTabs.module.css';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { useTabInView } from '../../ui/use-tab-in-view.ts';

const route = getRouteApi('/shell/profile');
const ReviewsTab = lazyPart(
  () => import('../employees/reviews/ReviewsTab.tsx'),
  'ReviewsTab',
  'person-reviews',
  'probation-words',
);
const Notifications = lazyPart(() => import('./Notifications.tsx'), 'Notifications', 'notification-settings');
const Settings = lazyPart(() => import('./Settings.tsx'), 'Settings', 'palette');
const Security = lazyPart(() => import('./Security.tsx'), 'Security', 'sign-in', 'sso');

/** The user's profile: details, password, sessions, notifications and preferences. */
export function ProfilePage() {
  const t = useTranslations('ownProfile');
  const { can } = useSession();
  const query = useQuery(load(profile.get, {}));
  const employee = query.data?.data.employee;
  return (
    <>
      <PageHeader title={t('title')} lead={query.data ? <Who own={query.data.data} /> : ''}>
        {employee && <OwnPicture employee={employee} />}
        {employee && (
          <Suspense fallback={<Box w={can('employees.view') ? 80 : 36} h={36} />}>
            <PaperActions
              {...(can('employees.view') && { pdf: address(employees.pdf, { params: { id: employee.id } }) })}
            />
          </Suspense>
        )}
      </PageHeader>
      {query.isPending ? (
        <LoadingLines lines={4} />
      ) : failedWithoutData(query) ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <OwnTabs own={query.data.data} />
      )}
      <Suspense>
        <PrintedBy />
      </Suspense>
    </>
  );
}

function Who({ own: { user, employee } }: { own: Profile }) {
  if (!employee) return user.email;
  return <bdi>{[employee.display_name, employee.job_title, employee.department.name].filter(Boolean).join(' · ')}</bdi>;
}

function OwnTabs({ own }: { own: Profile }) {
  const t = useTranslations('ownProfile');
  const { part: wanted, edit } = route.useSearch();
  const navigate = route.useNavigate();
  const { can } = useSession();
  const tabs = ownTabs.filter((tab) => {
    if (tab === 'reviews') return own.employee && (can('kpi-evaluation.view') || can('probation-review.view'));
    return tab !== 'details' || own.employee;
  });
  const tab = wanted && tabs.includes(wanted) ? wanted : (tabs[0] ?? 'security');
  const row = useTabInView(tab);
  // Closing a form needs no confirmation; switching to another section does.
  const onEdit = (section: Section | undefined) =>
    void navigate({ search: section ? { edit: section } : {}, ignoreBlocker: section === undefined });
  return (
    <Tabs
      classNames={tabClasses}
      value={tab}
      onChange={(next) => void navigate({ search: { part: next as OwnTab } })}
      keepMounted={false}
    >
      <Tabs.List ref={row}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`tabs.${one}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => (
        <Tabs.Panel key={one} value={one}>
          <ScrollPane>
            <Suspense fallback={<LoadingLines lines={4} />}>
              <TabContent tab={one} own={own} edit={edit} onEdit={onEdit} />
            </Suspense>
          </ScrollPane>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

type ContentProps = Omit<DetailsProps, 'employee'> & { tab: OwnTab; own: Profile };

function TabContent({ tab, own, ...editing }: ContentProps) {
  switch (tab) {
    case 'details':
      return (
        own.employee && (
          <WithSummary employee={own.employee} onlyBeside={false}>
            <OwnDetails employee={own.employee} {...editing} />
          </WithSummary>
        )
      );
    case 'reviews':
      return (
        own.employee && (
          <WithSummary employee={own.employee} onlyBeside>
            <ReviewsTab id={own.employee.id} />
          </WithSummary>
        )
      );
    case 'security':
      return <Security />;
    case 'notifications':
      return <Notifications />;
    case 'settings':
      return <Settings preferences={own.user.preferences} />;
  }
}

type DetailsProps = {
  employee: NonNullable<Profile['employee']>;
  edit: Section | undefined;
  onEdit: (section: Section | undefined) => void;
};

function OwnDetails(details: DetailsProps) {
  const t = useTranslations('ownProfile');
  return (
    <div>
      <Text className="muted" data-screen maw="62rem" px="gutter" pt={18} fz={13.5}>
        {t('othersChange')}
      </Text>
      <Overview {...details} own />
    </div>
  );
}
