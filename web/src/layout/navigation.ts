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
import type { Messages } from '../locales/texts.gen.ts';
import { paths } from '../paths.ts';

type Viewer = Pick<ReturnType<typeof useSession>, 'can' | 'hasDirectory' | 'seesOthers'>;

type Entry = {
  /** Its path in `paths.ts`, and its name among the texts `nav` of `shell.json`. */
  key: keyof typeof paths & keyof Messages['nav'];
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
      { key: 'home', icon: IconHome, go: 'h', tab: true },
      { key: 'tasks', icon: IconChecklist, go: 't', tab: true },
      { key: 'reports', icon: IconReportAnalytics, permission: 'dashboard.view_all', go: 's' },
      { key: 'notifications', icon: IconBell, go: 'n', tab: true },
    ],
  },
  {
    key: 'people',
    entries: [
      {
        key: 'employees',
        icon: IconUsers,
        permission: 'employees.view',
        // a list of only oneself is useless
        when: ({ hasDirectory, seesOthers }) => seesOthers || !hasDirectory,
        go: 'e',
        tab: true,
      },
      {
        key: 'directory',
        icon: IconAddressBook,
        when: ({ hasDirectory }) => hasDirectory,
        go: 'l',
        // takes the tab of the employees list
        tab: ({ seesOthers }) => !seesOthers,
      },
      { key: 'orgChart', icon: IconSitemap, permission: 'employees.view', go: 'o', tab: true },
      {
        key: 'plannedChanges',
        icon: IconCalendarEvent,
        permission: 'employees.update',
        go: 'f',
      },
      { key: 'departments', icon: IconBuilding, permission: 'departments.view', go: 'd' },
    ],
  },
  {
    key: 'performance',
    entries: [
      {
        key: 'kpiEvaluations',
        icon: IconTargetArrow,
        permission: 'kpi-evaluation.view',
        go: 'v',
      },
      { key: 'kpiCycles', icon: IconProgressCheck, permission: 'kpi-cycle.view', go: 'c' },
      { key: 'kpiTemplates', icon: IconListCheck, permission: 'kpi-template.view', go: 'k' },
      { key: 'probation', icon: IconHourglassHigh, permission: 'probation-review.view', go: 'p' },
    ],
  },
  {
    key: 'administration',
    entries: [
      { key: 'imports', icon: IconFileImport, permission: 'employees.import', go: 'i' },
      {
        key: 'roles',
        icon: IconShieldLock,
        permission: ['rbac.manage', 'employees.assign_roles'],
        go: 'r',
      },
      {
        key: 'notificationSettings',
        icon: IconBellCog,
        permission: 'notification-settings.manage',
      },
      {
        key: 'announcements',
        icon: IconSpeakerphone,
        permission: 'announcements.manage',
      },
      { key: 'brand', icon: IconPalette, permission: 'brand.manage' },
      { key: 'signInSettings', icon: IconLogin, permission: 'identity.manage' },
      { key: 'provisioning', icon: IconUsersGroup, permission: 'identity.manage' },
      {
        key: 'accessTokens',
        icon: IconApi,
        permission: ['service-accounts.manage', 'tokens.view_all'],
      },
      { key: 'webhooks', icon: IconWebhook, permission: 'webhooks.manage' },
      { key: 'backups', icon: IconDatabaseExport, permission: 'backups.view' },
      { key: 'sealingKeys', icon: IconKey, permission: 'identity.manage' },
      { key: 'auditLog', icon: IconClipboardText, permission: 'audit.view', go: 'a' },
    ],
  },
];

/** The navigation entries that the user may open, without empty groups. */
export const navigationFor = (viewer: Viewer) =>
  groups
    .map(({ key, entries }) => ({
      key,
      entries: entries
        .filter(
          ({ permission, when = () => true }) =>
            (!permission || [permission].flat().some((one) => viewer.can(one))) && when(viewer),
        )
        .map((entry) => ({ ...entry, to: paths[entry.key] })),
    }))
    .filter(({ entries }) => entries.length > 0);

/** The entries of the tab bar of a phone. */
export const tabsFor = (viewer: Viewer) =>
  navigationFor(viewer)
    .flatMap(({ entries }) => entries)
    .filter(({ tab }) => (typeof tab === 'function' ? tab(viewer) : tab));
