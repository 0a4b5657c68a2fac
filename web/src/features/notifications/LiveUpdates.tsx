import { useTranslations } from 'use-intl';
import { useLiveUpdates } from './use-live-updates.ts';

/** Subscribes to live updates and announces the latest one to screen readers. */
export function LiveUpdates() {
  const t = useTranslations('nav');
  const latest = useLiveUpdates();
  return <output className="visually-hidden">{latest && t('liveUpdate', { title: latest.title })}</output>;
}
