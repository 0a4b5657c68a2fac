import { IconLock } from '@tabler/icons-react';
import type { ProbationReview } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Day } from '../../../ui/Dates.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { isWriting } from './values.ts';
import { isOpenReview } from '../../../workflow/open-review.ts';

type Props = { review: ProbationReview };

/** Why the review is read-only, and past exceptions. */
export function StatusNotices({ review }: Props) {
  const t = useTranslations('probationReview');
  const { status, send_back_reason: back, cancel_reason: cancelled, revert_reason: reverted } = review;
  const isAssigned = review.reviewer !== null || (status !== 'pending' && status !== 'sent_back');
  const turns = [
    status === 'sent_back' && back ? t('turn.sent_back', { reason: back }) : undefined,
    status === 'cancelled' && cancelled ? t('turn.cancelled', { reason: cancelled }) : undefined,
    status === 'reverted' && reverted ? t('turn.reverted', { reason: reverted }) : undefined,
  ].filter((text) => text !== undefined);
  const paused = isOpenReview(status) ? review.paused_from : null;
  return (
    <div className={classes['standing']}>
      {!isWriting(review) && !paused && (
        <p className={classes['line']} data-screen>
          <IconLock size={15} aria-hidden />
          <span>
            {isAssigned
              ? t(`locked.${status === 'submitted' && review.milestone !== 'final' ? 'toShare' : status}`, {
                  name: review.reviewer?.name ?? '',
                })
              : t('locked.noReviewer')}
          </span>
        </p>
      )}
      {paused && (
        <Notice>
          {t('paused')} <Day value={paused} />
        </Notice>
      )}
      {turns.length > 0 && (
        <Notice kind="history">
          <div className={classes['told']}>
            {turns.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </Notice>
      )}
    </div>
  );
}
