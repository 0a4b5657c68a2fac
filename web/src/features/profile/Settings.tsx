import { NativeSelect, Switch } from '@mantine/core';
import { appearances, densities, type Preferences } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useChangePreferences } from '../../api/preferences.ts';
import { useSession } from '../../api/session.tsx';
import { navigationFor } from '../../layout/navigation.ts';
import { useSingleKeys } from '../../ui/single-keys.ts';
import { useAppearance } from '../../layout/use-appearance.ts';
import { useDensity } from '../../layout/use-density.ts';
import { locales, type LocaleId } from '../../locales/locales.ts';
import { useProfileLocale } from '../../locales/profile-locale.ts';
import { paths } from '../../paths.ts';
import { Pills } from '../../ui/Pills.tsx';
import classes from './profile.module.css';

/** How the application looks, speaks and begins; kept with the account, so that a new device begins with it. */
export function Settings({ preferences }: { preferences: Preferences }) {
  const t = useTranslations('ownProfile.settings');
  return (
    <div className={classes['blocks']}>
      <section className={classes['block']}>
        <h2>{t('look')}</h2>
        <p className="muted">{t('lead')}</p>
        <Appearance />
        <Density />
      </section>
      <section className={classes['block']}>
        <h2>{t('use')}</h2>
        <Language />
        <StartPage value={preferences.start_page ?? paths.home} />
        <SingleKeys />
      </section>
    </div>
  );
}

function Appearance() {
  const t = useTranslations('ownProfile.settings');
  const nav = useTranslations('nav');
  const { appearance, choose } = useAppearance();
  return (
    <div className={classes['setting']}>
      <span aria-hidden>{nav('appearance')}</span>
      <Pills
        label={nav('appearance')}
        options={appearances.map((value) => ({ value, label: nav(value) }))}
        value={appearance}
        onChange={choose}
      />
      <span className="muted">{t('appearanceHint')}</span>
    </div>
  );
}

function Density() {
  const t = useTranslations('ownProfile.settings');
  const { density, choose } = useDensity();
  return (
    <div className={classes['setting']}>
      <span aria-hidden>{t('density')}</span>
      <Pills
        label={t('density')}
        options={densities.map((value) => ({ value, label: t(`densities.${value}`) }))}
        value={density}
        onChange={choose}
      />
      <span className="muted">{t('densityHint')}</span>
    </div>
  );
}

function Language() {
  const nav = useTranslations('nav');
  const t = useTranslations('ownProfile.settings');
  const { locale, choose } = useProfileLocale();
  return (
    <NativeSelect
      className={classes['field'] ?? ''}
      label={nav('language')}
      description={t('languageHint')}
      value={locale}
      data={locales.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(event) => void choose(event.currentTarget.value as LocaleId)}
    />
  );
}

function StartPage({ value }: { value: string }) {
  const t = useTranslations('ownProfile.settings');
  const nav = useTranslations('nav');
  const { can } = useSession();
  const change = useChangePreferences();
  const pages = navigationFor(can).flatMap(({ entries }) => entries);
  const known = pages.some(({ to }) => to === value);
  return (
    <NativeSelect
      className={classes['field'] ?? ''}
      label={t('startPage')}
      description={t('startPageHint')}
      value={known ? value : paths.home}
      data={pages.map(({ key, to }) => ({ value: to, label: nav(key) }))}
      onChange={({ currentTarget: { value: to } }) => change({ start_page: to === paths.home ? null : to })}
    />
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
