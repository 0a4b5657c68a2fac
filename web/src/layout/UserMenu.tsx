import { Box, Flex, Menu, UnstyledButton } from '@mantine/core';
import {
  IconChevronDown,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { appearances } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { useSignOut } from '../api/sign-out.ts';
import { useProfileLocale } from '../locales/profile-locale.ts';
import { locales } from '../locales/locales.ts';
import { paths } from '../paths.ts';
import { PersonAvatar } from '../ui/PersonAvatar.tsx';
import { useAppearance } from './use-appearance.ts';

type User = NonNullable<ReturnType<typeof useSession>['user']>;

const icons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop } as const;

/** The user menu: profile, password, appearance, signing out. */
export function UserMenu() {
  const t = useTranslations('nav');
  const { user } = useSession();
  const signOut = useSignOut();
  if (!user) return null;
  return (
    <Menu position="top-start" width={236} shadow="md">
      <Menu.Target>
        <AccountButton user={user} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.profile} leftSection={<IconUser size={15} aria-hidden />}>
          {t('myProfile')}
        </Menu.Item>
        <Menu.Item
          renderRoot={(props) => <Link {...props} to={paths.profile} search={security} />}
          leftSection={<IconKey size={15} aria-hidden />}
        >
          {t('changePassword')}
        </Menu.Item>
        <Menu.Divider />
        <Appearance />
        <Menu.Divider />
        <Languages />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} aria-hidden />}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountButton({ user, ...props }: { user: User } & ComponentProps<'button'>) {
  const t = useTranslations('nav');
  return (
    <UnstyledButton {...props} className="hoverable" mx={4} px={8} py={7} bdrs={9}>
      <Flex component="span" align="center" gap={9}>
        <span className="visually-hidden">{t('account')} </span>
        <PersonAvatar id={user.employee_id ?? user.id} name={user.name} url={user.profile_picture_url} size={28} />
        <Box component="span" flex={1} miw={0}>
          <Box component="span" className="truncate" display="block" fz="sm" fw={540}>
            {user.name}
          </Box>
          {user.email !== user.name && (
            <Box component="span" className="truncate" display="block" fz="xs" c="var(--ink-2)">
              {user.email}
            </Box>
          )}
        </Box>
        <IconChevronDown size={14} aria-hidden />
      </Flex>
    </UnstyledButton>
  );
}

const security = { part: 'security' } as const;

function iconOf(appearance: keyof typeof icons) {
  const Icon = icons[appearance];
  return <Icon size={15} aria-hidden />;
}

function Appearance() {
  const t = useTranslations('nav');
  const { appearance, choose } = useAppearance();
  return (
    <>
      <Menu.Label>{t('appearance')}</Menu.Label>
      <Menu.RadioGroup value={appearance} onChange={(value) => choose(value as typeof appearance)}>
        {appearances.map((value) => (
          <Menu.RadioItem key={value} value={value} rightSection={iconOf(value)}>
            {t(value)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function Languages() {
  const t = useTranslations('nav');
  const { locale, choose } = useProfileLocale();
  return (
    <>
      <Menu.Label>{t('language')}</Menu.Label>
      <Menu.RadioGroup value={locale} onChange={(value) => void choose(value)}>
        {locales.map(({ id, name }) => (
          <Menu.RadioItem key={id} value={id} lang={id}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
