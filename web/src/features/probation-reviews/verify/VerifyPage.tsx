import { Skeleton } from '@mantine/core';
import {
  probationReviews,
  probationSignatures,
  type ProbationReview,
  type ProbationVerification,
} from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId, paths } from '../../../paths.ts';
import { Moment } from '../../../ui/Dates.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { LabelledText } from '../../../ui/LabelledText.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { SignatureList } from '../signature/SignatureList.tsx';

const route = getRouteApi('/shell/probation/$id/verify');

/** Verifies that a review's stored content matches its signatures. */
export function VerifyPage() {
  const { id } = route.useParams();
  return isId(id) ? <Verification key={id} id={Number(id)} /> : <NotFoundPage />;
}

function Verification({ id }: { id: number }) {
  const t = useTranslations('probationVerify');
  const loading = useTranslations('table')('loading');
  const review = useQuery(load(probationReviews.get, { params: { id } }));
  const check = useQuery({ ...load(probationSignatures.verify, { params: { id } }), staleTime: 0 });
  const error = check.error ?? review.error;
  if (error)
    return <ErrorState page error={error} onRetry={() => void Promise.all([review.refetch(), check.refetch()])} />;
  if (!check.data || !review.data)
    return (
      <div className={classes['skeleton']}>
        <output className="visually-hidden">{loading}</output>
        <Skeleton height={26} width="18rem" />
        <Skeleton height={160} />
      </div>
    );
  return <Checked review={review.data.data} check={check.data.data} title={t('title')} />;
}

type Props = { review: ProbationReview; check: ProbationVerification; title: string };

function Checked({ review, check, title }: Props) {
  const t = useTranslations('probationVerify');
  const counting = check.signatures.filter(({ valid }) => valid).length;
  const state = counting === 0 ? 'none' : check.matches ? 'good' : 'bad';
  return (
    <>
      <PageHeader
        title={title}
        lead={
          <span className={classes['lead']}>
            <Link to={paths.probationReview} params={{ id: String(review.id) }}>
              {t('back', { name: review.employee.name })}
            </Link>
            <span>
              {t('checked')} <Moment value={check.checked_at} />
            </span>
          </span>
        }
      />
      <div className={classes['standing']}>
        <p className={classes['line']}>
          <StatusBadge
            tone={state === 'good' ? 'good' : state === 'bad' ? 'danger' : 'quiet'}
            label={t(`state.${state}`)}
          />
        </p>
        <p>{t(`text.${state}`, { count: counting })}</p>
      </div>
      {check.signatures.length === 0 ? (
        <Message title={t('none')}>{t('noneText')}</Message>
      ) : (
        <div className={classes['skeleton']}>
          <SignatureList signatures={check.signatures} level="h2" more={(row) => <Finding row={row} />} />
        </div>
      )}
    </>
  );
}

type Row = ProbationVerification['signatures'][number];

function Finding({ row }: { row: Row }) {
  const t = useTranslations('probationVerify');
  const f = useTranslations('probationVerify.fields');
  const { matches, image_matches: image, differences, content_hash: signed, current_hash: now, reference } = row;
  const named = differences.map((name) => {
    const known = knownFields.find((one) => one === name.split('.')[0]);
    return known ? f(known) : name;
  });
  return (
    <>
      <p>{t(matches === null ? 'noLongerCounts' : matches ? 'matches' : 'differs')}</p>
      {named.length > 0 && <p>{t('differing', { fields: [...new Set(named)].join(', ') })}</p>}
      {image !== null && <p>{t(image ? 'imageMatches' : 'imageDiffers')}</p>}
      <p className="muted">
        {t('reference')} <span dir="ltr">{reference}</span>
      </p>
      <details>
        <summary>{t('fingerprints')}</summary>
        <LabelledText level="h3" label={t('signedHash')} text={<Hash value={signed} />} />
        {now !== null && now !== signed && (
          <LabelledText level="h3" label={t('currentHash')} text={<Hash value={now} />} />
        )}
      </details>
    </>
  );
}

const Hash = ({ value }: { value: string }) => (
  <code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
    {value}
  </code>
);

const knownFields = [
  'employee_id',
  'probation_start_date',
  'probation_end_date',
  'round',
  'performance_rating',
  'criteria',
  'criteria_score',
  'strengths',
  'improvements',
  'comments',
  'recommendation',
  'extension_months',
  'outcome',
  'outcome_extension_months',
  'effective_date',
  'hr_comments',
] as const;
