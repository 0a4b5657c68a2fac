import { probationReviews, type ProbationActivity } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { Activity } from '../../../workflow/Activity.tsx';

type Props = { id: number; page: number | undefined; onPage: (page: number) => void };

const known = [
  'create',
  'submit',
  'recall',
  'send-back',
  'approve',
  'share',
  'acknowledge',
  'record-acknowledgement',
  'cancel',
  'reviewer',
  'revert',
] as const;

/** The history of a review: time, actor and reason. */
export function ActivityPart({ id, page, onPage }: Props) {
  const t = useTranslations('probationActivity');
  const states = useTranslations('probationStatus');
  const query = useQuery({
    ...load(probationReviews.activity, { params: { id }, query: page === undefined ? {} : { page } }),
    placeholderData: keepPreviousData,
  });
  const did = ({ action }: ProbationActivity) => {
    const name = known.find((one) => one === action);
    return name ? t(`did.${name}`) : action;
  };
  return <Activity<ProbationActivity> query={query} did={did} state={states} onPage={onPage} />;
}
