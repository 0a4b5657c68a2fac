import { useTranslations } from 'use-intl';
import { useLiveUpdates } from './use-live-updates.ts';

/** Listens for news and says the latest to whoever does not see the bell. */
export function LiveUpdates() {
  const t = useTranslations('nav');
  const latest = useLiveUpdates();
  return <output className="visually-hidden">{latest && t('liveUpdate', { title: latest.title })}</output>;
}
