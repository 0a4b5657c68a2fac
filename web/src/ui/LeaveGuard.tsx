import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../paths.ts';
import { Dialog, DialogActions } from './Dialog.tsx';

type Props = {
  /** Has the person entered something that is not saved? */
  when: boolean;
  /** True while moving inside the form itself, such as to its next step; those moves are free. */
  within?: (next: { pathname: string; search: Record<string, unknown> }) => boolean;
  /** Tries to save before anything is asked; true when nothing is left to lose. */
  rescue?: () => Promise<boolean>;
};

/** Asks before what was entered is lost: by a link, by going back, by closing the tab. */
export function LeaveGuard({ when, within, rescue }: Props) {
  const t = useTranslations('leaveGuard');
  const blocker = useBlocker({
    // The end of a session keeps what was entered (drafts), so it needs no question.
    shouldBlockFn: async ({ next }) => {
      const { pathname, search } = next;
      if (!when || pathname === paths.signIn || within?.({ pathname, search })) return false;
      return !(await rescue?.());
    },
    enableBeforeUnload: () => when,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Dialog title={t('title')} opened={blocker.status === 'blocked'} onClose={stay}>
      <p>{t('body')}</p>
      <DialogActions>
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          {t('leave')}
        </Button>
        <Button data-autofocus onClick={stay}>
          {t('stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
