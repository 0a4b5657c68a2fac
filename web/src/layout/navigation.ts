import {
  IconBell,
  IconBellCog,
  IconBuilding,
  IconFileImport,
  IconProgressCheck,
  IconChecklist,
  IconHome,
  IconPalette,
  IconShieldLock,
  IconClipboardText,
  IconTargetArrow,
  IconListCheck,
  IconHourglassHigh,
  IconReportAnalytics,
  IconSitemap,
  IconUsers,
} from '@tabler/icons-react';
import type { Permission } from '@tenure/contract';
import { paths } from '../paths.ts';

type Entry = {
  key:
    | 'home'
    | 'employees'
    | 'orgChart'
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
    | 'brand'
    | 'auditLog';
  to: (typeof paths)[keyof typeof paths];
  icon: typeof IconHome;
  /** Shown only to users with this permission, or with one of these. */
  permission?: Permission | readonly Permission[];
  /** The key that opens the page after G. */
  go?: string;
  /** In the tab bar of a phone. */
  tab?: true;
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
      { key: 'employees', to: paths.employees, icon: IconUsers, permission: 'employees.view', go: 'e', tab: true },
      { key: 'orgChart', to: paths.orgChart, icon: IconSitemap, permission: 'employees.view', go: 'o', tab: true },
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
      { key: 'brand', to: paths.brand, icon: IconPalette, permission: 'brand.manage' },
      { key: 'auditLog', to: paths.auditLog, icon: IconClipboardText, permission: 'audit.view', go: 'a' },
    ],
  },
];

/** The navigation entries that the user may open, without empty groups. */
export const navigationFor = (can: (permission: Permission) => boolean): Group[] =>
  groups
    .map(({ key, entries }) => ({
      key,
      entries: entries.filter(({ permission }) => !permission || [permission].flat().some(can)),
    }))
    .filter(({ entries }) => entries.length > 0);
