import { Menu, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconChevronDown,
  IconDeviceDesktop,
  IconKey,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { useSignOut } from '../api/sign-out.ts';
import { useProfileLocale } from '../locales/profile-locale.ts';
import { locales, type LocaleId } from '../locales/locales.ts';
import { paths } from '../paths.ts';
import { PersonAvatar } from '../ui/PersonAvatar.tsx';
import classes from './UserMenu.module.css';

const schemes = [
  { value: 'light', label: 'light', Icon: IconSun },
  { value: 'dark', label: 'dark', Icon: IconMoon },
  { value: 'auto', label: 'system', Icon: IconDeviceDesktop },
] as const satisfies readonly { value: MantineColorScheme; label: string; Icon: typeof IconSun }[];

/** Who is signed in, and what concerns only them: own record, password, appearance, signing out. */
export function UserMenu() {
  const t = useTranslations('nav');
  const { user } = useSession();
  const signOut = useSignOut();
  if (!user) return null;
  const own = { id: String(user.employee_id) };
  return (
    <Menu position="top-start" width={236} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes['user']}>
          <span className="visually-hidden">{t('account')} </span>
          <PersonAvatar id={user.id} name={user.name} size={28} />
          <span className={classes['who']}>
            <span className={classes['name']}>{user.name}</span>
            <span className={classes['mail']}>{user.email}</span>
          </span>
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {user.employee_id !== null && (
          <Menu.Item
            renderRoot={(props) => <Link {...props} to={paths.employee} params={own} />}
            leftSection={<IconUser size={15} aria-hidden />}
          >
            {t('myProfile')}
          </Menu.Item>
        )}
        <Menu.Item component={Link} to={paths.newPassword} leftSection={<IconKey size={15} aria-hidden />}>
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

function Appearance() {
  const t = useTranslations('nav');
  // Suspending transitions needs a style element, which the content security policy refuses.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <>
      <Menu.Label>{t('appearance')}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
        {schemes.map(({ value, label, Icon }) => (
          <Menu.RadioItem key={value} value={value} rightSection={<Icon size={15} aria-hidden />}>
            {t(label)}
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
      <Menu.RadioGroup value={locale} onChange={(value) => void choose(value as LocaleId)}>
        {locales.map(({ id, name }) => (
          <Menu.RadioItem key={id} value={id} lang={id}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
