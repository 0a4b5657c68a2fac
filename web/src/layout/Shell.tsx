import { Box, Burger, Flex, Group, Stack } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { useUnread } from '../features/notifications/use-unread.ts';
import { useTaskCounts } from '../features/tasks/use-task-counts.ts';
import { useApplyProfileLocale } from '../locales/profile-locale.ts';
import { Brand } from '../ui/Brand.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { useNarrow } from '../ui/use-phone.ts';
import { Banners } from './Banners.tsx';
import { navigationFor, tabsFor } from './navigation.ts';
import { Launcher } from './palette/Launcher.tsx';
import classes from './Shell.module.css';
import { useAccountAppearance } from './use-account-appearance.ts';

const Bell = lazyPart(() => import('../features/notifications/Bell.tsx'), 'Bell');
const UserMenu = lazyPart(() => import('./UserMenu.tsx'), 'UserMenu');
const HelpButton = lazyPart(() => import('./help/HelpButton.tsx'), 'HelpButton');
const Background = lazyPart(() => import('./Background.tsx'), 'Background');
const ImportWatch = lazyPart(() => import('../features/imports/ImportWatch.tsx'), 'ImportWatch', 'import-watch');

/** The layout of every screen: a sidebar, or on a phone a top bar, a drawer and a tab bar. */
export function Shell() {
  const t = useTranslations('app');
  useApplyProfileLocale();
  useAccountAppearance();
  const narrow = useNarrow();
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Navigation to another page closes the menu; coming back does not open it again.
  const [menuOn, setMenuOn] = useState<string>();
  if (menuOn && menuOn !== path) setMenuOn(undefined);
  const open = menuOn === path;
  const menuIsOpen = narrow && open;
  return (
    <div className={classes['shell']}>
      <a className={classes['skip']} href="#main">
        {t('skip')}
      </a>
      {narrow ? <PhoneBar open={open} onToggle={() => setMenuOn(open ? undefined : path)} /> : <Sidebar />}
      {menuIsOpen && (
        <nav className={classes['drawer']} aria-label={t('navigation')}>
          <Navigation />
        </nav>
      )}
      <main id="main" className={classes['sheet']} tabIndex={-1} inert={menuIsOpen}>
        <Banners />
        <div className={classes['page']}>
          <Outlet />
        </div>
      </main>
      {narrow && <Tabs />}
      <InBackground />
    </div>
  );
}

function Sidebar() {
  return (
    <nav className={classes['sidebar']} aria-label={useTranslations('app')('navigation')}>
      {/* keeps its height until its buttons are loaded */}
      <Group justify="space-between" px={8} pt={2} pb={14} mih={52}>
        <Brand />
        <Group gap={2} wrap="nowrap">
          <Suspense>
            <HelpButton />
            <Bell />
          </Suspense>
        </Group>
      </Group>
      <Launcher />
      <Navigation />
    </nav>
  );
}

/** Parts that work on every screen. */
function InBackground() {
  const { can } = useSession();
  return (
    <>
      <Suspense>
        <Background />
      </Suspense>
      {can('employees.import') && (
        <Suspense>
          <ImportWatch />
        </Suspense>
      )}
    </>
  );
}

function PhoneBar({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const t = useTranslations('app');
  return (
    <Flex component="section" align="center" justify="space-between" px={10} aria-label={t('bar')}>
      <Burger
        opened={open}
        onClick={onToggle}
        size="sm"
        aria-label={t(open ? 'closeMenu' : 'openMenu')}
        aria-expanded={open}
      />
      <Brand />
      <Group gap={0} wrap="nowrap">
        <Box w={36}>
          <Suspense>
            <HelpButton />
          </Suspense>
        </Box>
        <Launcher narrow />
      </Group>
    </Flex>
  );
}

const exactly = { exact: true, includeSearch: false };

function Navigation() {
  const t = useTranslations('nav');
  const viewer = useSession();
  const list = useCurrentInView();
  return (
    <>
      <Box ref={list} flex={1} mih={0} pos="relative" style={{ overflow: 'auto' }}>
        {navigationFor(viewer).map((group) => (
          <Stack key={group.key} gap={1} mb={12} px={4} py={2}>
            {group.key !== 'home' && (
              <Box px={8} pt={6} pb={4} c="var(--ink-2)" fz="xs" fw={550} aria-hidden>
                {t(group.key)}
              </Box>
            )}
            <ul aria-label={t(group.key)}>
              {group.entries.map(({ key, to, icon: Icon }) => (
                <li key={key}>
                  <Link to={to} className={classes['link']} {...(to === '/' && { activeOptions: exactly })}>
                    <Icon size={17} stroke={1.7} aria-hidden />
                    {t(key)}
                    <Badge of={key} />
                  </Link>
                </li>
              ))}
            </ul>
          </Stack>
        ))}
      </Box>
      <Suspense fallback={<Box h={48} />}>
        <UserMenu />
      </Suspense>
    </>
  );
}

/** Scrolls a long list to the entry of the page that is shown. */
function useCurrentInView() {
  const list = useRef<HTMLDivElement>(null);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
    // oxlint-disable-next-line react/exhaustive-deps -- the entry of the page is read from the list
  }, [path]);
  return list;
}

/** The number of tasks or unread notifications; hidden at zero. */
function Badge({ of }: { of: string }) {
  const t = useTranslations('nav');
  const [waiting, unread] = [useTaskCounts()?.total ?? 0, useUnread()];
  const counts: Record<string, { count: number; label: 'waiting' | 'unread' }> = {
    tasks: { count: waiting, label: 'waiting' },
    notifications: { count: unread, label: 'unread' },
  };
  const { count, label } = counts[of] ?? { count: 0, label: 'waiting' };
  if (count === 0) return null;
  return (
    <span className={classes['waiting']}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{t(label, { count })}</span>
    </span>
  );
}

function Tabs() {
  const t = useTranslations('nav');
  const tabs = tabsFor(useSession());
  return (
    <nav className={classes['tabs']} aria-label={useTranslations('app')('tabs')}>
      {tabs.map(({ key, to, icon: Icon }) => (
        <Link key={key} to={to} className={classes['tab']} {...(to === '/' && { activeOptions: exactly })}>
          <Icon size={21} stroke={1.6} aria-hidden />
          <span>{t(key === 'tasks' ? 'tab.tasks' : key)}</span>
          <Badge of={key} />
        </Link>
      ))}
    </nav>
  );
}
