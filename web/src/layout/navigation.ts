import {
  IconApi,
  IconBell,
  IconBellCog,
  IconAddressBook,
  IconBuilding,
  IconFileImport,
  IconProgressCheck,
  IconCalendarEvent,
  IconChecklist,
  IconDatabaseExport,
  IconHome,
  IconKey,
  IconLogin,
  IconPalette,
  IconShieldLock,
  IconClipboardText,
  IconTargetArrow,
  IconListCheck,
  IconHourglassHigh,
  IconReportAnalytics,
  IconSitemap,
  IconSpeakerphone,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { Permission } from '@tenure/contract';
import type { useSession } from '../api/session.tsx';
import { paths } from '../paths.ts';

type Viewer = Pick<ReturnType<typeof useSession>, 'can' | 'hasDirectory' | 'seesOthers'>;

type Entry = {
  key:
    | 'home'
    | 'directory'
    | 'employees'
    | 'orgChart'
    | 'plannedChanges'
    | 'departments'
    | 'imports'
    | 'tasks'
    | 'reports'
    | 'notifications'
    | 'notificationSettings'
    | 'kpiEvaluations'
    | 'kpiCycles'
    | 'kpiTemplates'
    | 'probation'
    | 'roles'
    | 'announcements'
    | 'brand'
    | 'backups'
    | 'sealingKeys'
    | 'signInSettings'
    | 'provisioning'
    | 'accessTokens'
    | 'webhooks'
    | 'auditLog';
  to: (typeof paths)[keyof typeof paths];
  icon: typeof IconHome;
  /** Shown only to users with this permission, or with one of these. */
  permission?: Permission | readonly Permission[];
  /** Shown only to these users. */
  when?: (viewer: Viewer) => boolean;
  /** The key that opens the page after G. */
  go?: string;
  /** In the tab bar of a phone. */
  tab?: true | ((viewer: Viewer) => boolean);
};

type Group = { key: 'home' | 'people' | 'performance' | 'administration'; entries: readonly Entry[] };

const groups: readonly Group[] = [
  {
    key: 'home',
    entries: [
      { key: 'home', to: paths.home, icon: IconHome, go: 'h', tab: true },
      { key: 'tasks', to: paths.tasks, icon: IconChecklist, go: 't', tab: true },
      { key: 'reports', to: paths.reports, icon: IconReportAnalytics, permission: 'dashboard.view_all', go: 's' },
      { key: 'notifications', to: paths.notifications, icon: IconBell, go: 'n', tab: true },
    ],
  },
  {
    key: 'people',
    entries: [
      {
        key: 'employees',
        to: paths.employees,
        icon: IconUsers,
        permission: 'employees.view',
        // a list of oneself is no list
        when: ({ hasDirectory, seesOthers }) => seesOthers || !hasDirectory,
        go: 'e',
        tab: true,
      },
      {
        key: 'directory',
        to: paths.directory,
        icon: IconAddressBook,
        when: ({ hasDirectory }) => hasDirectory,
        go: 'l',
        // in the place of the list of employees
        tab: ({ seesOthers }) => !seesOthers,
      },
      { key: 'orgChart', to: paths.orgChart, icon: IconSitemap, permission: 'employees.view', go: 'o', tab: true },
      {
        key: 'plannedChanges',
        to: paths.plannedChanges,
        icon: IconCalendarEvent,
        permission: 'employees.update',
        go: 'f',
      },
      { key: 'departments', to: paths.departments, icon: IconBuilding, permission: 'departments.view', go: 'd' },
    ],
  },
  {
    key: 'performance',
    entries: [
      {
        key: 'kpiEvaluations',
        to: paths.kpiEvaluations,
        icon: IconTargetArrow,
        permission: 'kpi-evaluation.view',
        go: 'v',
      },
      { key: 'kpiCycles', to: paths.kpiCycles, icon: IconProgressCheck, permission: 'kpi-cycle.view', go: 'c' },
      { key: 'kpiTemplates', to: paths.kpiTemplates, icon: IconListCheck, permission: 'kpi-template.view', go: 'k' },
      { key: 'probation', to: paths.probation, icon: IconHourglassHigh, permission: 'probation-review.view', go: 'p' },
    ],
  },
  {
    key: 'administration',
    entries: [
      { key: 'imports', to: paths.imports, icon: IconFileImport, permission: 'employees.import', go: 'i' },
      {
        key: 'roles',
        to: paths.roles,
        icon: IconShieldLock,
        permission: ['rbac.manage', 'employees.assign_roles'],
        go: 'r',
      },
      {
        key: 'notificationSettings',
        to: paths.notificationSettings,
        icon: IconBellCog,
        permission: 'notification-settings.manage',
      },
      {
        key: 'announcements',
        to: paths.announcements,
        icon: IconSpeakerphone,
        permission: 'announcements.manage',
      },
      { key: 'brand', to: paths.brand, icon: IconPalette, permission: 'brand.manage' },
      { key: 'signInSettings', to: paths.signInSettings, icon: IconLogin, permission: 'identity.manage' },
      { key: 'provisioning', to: paths.provisioning, icon: IconUsersGroup, permission: 'identity.manage' },
      {
        key: 'accessTokens',
        to: paths.accessTokens,
        icon: IconApi,
        permission: ['service-accounts.manage', 'tokens.view_all'],
      },
      { key: 'webhooks', to: paths.webhooks, icon: IconWebhook, permission: 'webhooks.manage' },
      { key: 'backups', to: paths.backups, icon: IconDatabaseExport, permission: 'backups.view' },
      { key: 'sealingKeys', to: paths.sealingKeys, icon: IconKey, permission: 'identity.manage' },
      { key: 'auditLog', to: paths.auditLog, icon: IconClipboardText, permission: 'audit.view', go: 'a' },
    ],
  },
];

/** The navigation entries that the user may open, without empty groups. */
export const navigationFor = (viewer: Viewer): Group[] =>
  groups
    .map(({ key, entries }) => ({
      key,
      entries: entries.filter(
        ({ permission, when = () => true }) =>
          (!permission || [permission].flat().some((one) => viewer.can(one))) && when(viewer),
      ),
    }))
    .filter(({ entries }) => entries.length > 0);

/** The entries of the tab bar of a phone. */
export const tabsFor = (viewer: Viewer) =>
  navigationFor(viewer)
    .flatMap(({ entries }) => entries)
    .filter(({ tab }) => (typeof tab === 'function' ? tab(viewer) : tab));
