import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../paths.ts';
import { Dialog, DialogActions } from './Dialog.tsx';
import { guardLeaving } from './unsaved.ts';

type Props = {
  /** Has the person entered something that is not saved? */
  when: boolean;
  /** True while moving inside the form itself, such as to its next step; those moves are free. */
  within?: (next: { pathname: string; search: Record<string, unknown> }) => boolean;
  /** Tries to save before anything is asked; true when nothing is left to lose. */
  rescue?: () => Promise<boolean>;
};

/** Asks before what was entered is lost: by a link, by going back, by closing the tab, by signing out. */
export function LeaveGuard({ when, within, rescue }: Props) {
  const t = useTranslations('leaveGuard');
  const [answer, setAnswer] = useState<(leaves: boolean) => void>();
  const ask = useEffectEvent(
    async () => !when || (await rescue?.()) || new Promise<boolean>((resolve) => setAnswer(() => resolve)),
  );
  useEffect(() => guardLeaving(() => ask()), []);
  const blocker = useBlocker({
    // The end of a session keeps what was entered (drafts), and who signs out was asked: no question.
    shouldBlockFn: async ({ next }) => {
      const { pathname, search } = next;
      if (!when || pathname === paths.signIn || within?.({ pathname, search })) return false;
      return !(await rescue?.());
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
