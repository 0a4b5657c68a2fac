import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../ui/StatusBadge.tsx';

/** Whether people can sign in through a provider. */
export function State({ isOn }: { isOn: boolean }) {
  const t = useTranslations('identityProviders');
  return <StatusBadge tone={isOn ? 'good' : 'quiet'} label={t(isOn ? 'on' : 'off')} />;
}
