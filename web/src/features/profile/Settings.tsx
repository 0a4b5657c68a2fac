import { NativeSelect, Switch } from '@mantine/core';
import { appearances, densities, type Preferences } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useChangePreferences } from '../../api/preferences.ts';
import { useSession } from '../../api/session.tsx';
import { navigationFor } from '../../layout/navigation.ts';
import { useSingleKeys } from '../../ui/single-keys.ts';
import { useAppearance } from '../../layout/use-appearance.ts';
import { useDensity } from '../../layout/use-density.ts';
import { locales } from '../../locales/locales.ts';
import { useProfileLocale } from '../../locales/profile-locale.ts';
import { paths } from '../../paths.ts';
import { Pills } from '../../ui/Pills.tsx';
import { Block, Blocks, fieldWidth, Setting } from './Block.tsx';

/** The user's preferences for appearance, language and start page; stored in the account for all devices. */
export function Settings({ preferences }: { preferences: Preferences }) {
  const t = useTranslations('ownProfile.settings');
  return (
    <Blocks>
      <Block title={t('look')} lead={t('lead')}>
        <Appearance />
        <Density />
      </Block>
      <Block title={t('use')}>
        <Language />
        <StartPage value={preferences.start_page ?? paths.home} />
        <SingleKeys />
      </Block>
      <Birthday value={preferences.birthday} />
    </Blocks>
  );
}

function Appearance() {
  const t = useTranslations('ownProfile.settings');
  const nav = useTranslations('nav');
  const { appearance, choose } = useAppearance();
  return (
    <Setting label={nav('appearance')} hint={t('appearanceHint')}>
      <Pills
        label={nav('appearance')}
        options={appearances.map((value) => ({ value, label: nav(value) }))}
        value={appearance}
        onChange={choose}
      />
    </Setting>
  );
}

function Density() {
  const t = useTranslations('ownProfile.settings');
  const { density, choose } = useDensity();
  return (
    <Setting label={t('density')} hint={t('densityHint')}>
      <Pills
        label={t('density')}
        options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
        value={density}
        onChange={choose}
      />
    </Setting>
  );
}

function Language() {
  const nav = useTranslations('nav');
  const t = useTranslations('ownProfile.settings');
  const { locale, choose } = useProfileLocale();
  return (
    <NativeSelect
      maw={fieldWidth}
      label={nav('language')}
      description={t('languageHint')}
      value={locale}
      data={locales.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => void choose(event.currentTarget.value)}
    />
  );
}

function StartPage({ value }: { value: string }) {
  const t = useTranslations('ownProfile.settings');
  const nav = useTranslations('nav');
  const change = useChangePreferences();
  const pages = navigationFor(useSession()).flatMap(({ entries }) => entries);
  const known = pages.some(({ to }) => to === value);
  return (
    <NativeSelect
      maw={fieldWidth}
      label={t('startPage')}
      description={t('startPageHint')}
      value={known ? value : paths.home}
      data={pages.map(({ key, to }) => ({ value: to, label: nav(key) }))}
      onChange={({ currentTarget: { value: to } }) => change({ start_page: to === paths.home ? null : to })}
    />
  );
}

/** The consent to show the birthday; only where colleagues see each other. */
function Birthday({ value }: { value: Preferences['birthday'] }) {
  const t = useTranslations('ownProfile.settings');
  const { user, hasDirectory } = useSession();
  const change = useChangePreferences();
  if (!hasDirectory || !user?.employee_id) return null;
  return (
    <Block title={t('privacy')}>
      <Switch
        checked={value === 'shown'}
        onChange={({ currentTarget: { checked } }) => change({ birthday: checked ? 'shown' : null })}
        label={t('birthday')}
        description={t('birthdayHint')}
      />
    </Block>
  );
}

function SingleKeys() {
  const t = useTranslations('shortcuts');
  const [singleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Switch
      checked={singleKeys}
      onChange={({ currentTarget: { checked } }) => setSingleKeys(checked)}
      label={t('singleKeys')}
      description={t('singleKeysHint')}
    />
  );
}
