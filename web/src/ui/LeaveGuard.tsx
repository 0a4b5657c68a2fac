import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../paths.ts';
import { Dialog, DialogActions } from './Dialog.tsx';
import { addLeaveGuard } from './unsaved.ts';

type Props = {
  /** True if there is unsaved input. */
  when: boolean;
  /** True for navigation within the form, such as to its next step, which is not blocked. */
  within?: (next: { pathname: string; search: Record<string, unknown> }) => boolean;
  /** Tries to save before asking; true if no unsaved input is left. */
  trySave?: () => Promise<boolean>;
};

/** Asks before unsaved input is lost: by a link, going back, closing the tab or signing out. */
export function LeaveGuard({ when, within, trySave }: Props) {
  const t = useTranslations('leaveGuard');
  const [answer, setAnswer] = useState<(leaves: boolean) => void>();
  const ask = useEffectEvent(
    async () => !when || (await trySave?.()) || new Promise<boolean>((resolve) => setAnswer(() => resolve)),
  );
  useEffect(() => addLeaveGuard(() => ask()), []);
  const blocker = useBlocker({
    // The end of a session keeps a draft, and signing out has asked already.
    shouldBlockFn: async ({ next }) => {
      const { pathname, search } = next;
      if (!when || pathname === paths.signIn || within?.({ pathname, search })) return false;
      return !(await trySave?.());
    },
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  const decide = (leaves: boolean) => {
    answer?.(leaves);
    setAnswer(undefined);
    if (leaves) blocker.proceed?.();
    else blocker.reset?.();
  };
  const stay = () => decide(false);
  return (
    <Dialog title={t('title')} opened={answer !== undefined || blocker.status === 'blocked'} onClose={stay}>
      <p>{t('body')}</p>
      <DialogActions>
        <Button variant="default" onClick={() => decide(true)}>
          {t('leave')}
        </Button>
        <Button data-autofocus onClick={stay}>
          {t('stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
