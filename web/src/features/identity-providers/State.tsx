import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** Whether people can sign in through a provider. */
export function State({ isOn, isFailing }: { isOn: boolean; isFailing: boolean }) {
  const t = useTranslations('identityProviders');
  if (isFailing) return <StatusBadge tone="danger" label={t('fails')} />;
  return <StatusBadge tone={isOn ? 'good' : 'quiet'} label={t(isOn ? 'on' : 'off')} />;
}
