import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { tints } from '../../ui/alert-tints.ts';
import { useSecondsUntil } from '../../ui/use-seconds-until.ts';

export const SignInNotice = ({ children }: { children: string }) => (
  <output>
    <Alert styles={tints.warning} color="gray" icon={<IconInfoCircle size={18} />} role="presentation">
      {children}
    </Alert>
  </output>
);

/** Counts down after too many attempts. */
export function Wait({ until, onEnd }: { until: number; onEnd: () => void }) {
  const t = useTranslations('signIn');
  const seconds = useSecondsUntil(until);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    if (seconds === 0) ended();
  }, [seconds]);
  return <SignInNotice>{t('wait', { seconds })}</SignInNotice>;
}
