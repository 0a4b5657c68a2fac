import type { ProbationReview } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import classes from '../../../ui/Panes.module.css';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';
import { LabelledText } from '../../../ui/LabelledText.tsx';
import { usePercent } from '../../../ui/use-percent.ts';

type Props = { review: ProbationReview };

/** The reviewer's assessment, as far as it is visible. */
export function Assessment({ review }: Props) {
  const t = useTranslations('probationReview');
  const outcomes = useTranslations('probationOutcome');
  const { performance_rating: rating, recommendation, extension_months: months } = review;
  if (review.comments === undefined) return <p className="muted">{t('notInSight')}</p>;
  const recommended =
    recommendation && [outcomes(recommendation), months && t('months', { months })].filter(Boolean).join(', ');
  return (
    <section className={classes['pane']} aria-labelledby="assessment">
      <SectionTitle id="assessment">{t('assessment')}</SectionTitle>
      <div className={classes['side']}>
        <div className={classes['sides']}>
          <LabelledText
            level="h3"
            label={t('field.performance_rating')}
            text={rating && t('ratingOf', { rating, word: t(`ratings.${rating as 5}`) })}
          />
          {review.milestone === 'final' && (
            <LabelledText level="h3" label={t('field.recommendation')} text={recommended} />
          )}
        </div>
        <Criteria review={review} />
        <LabelledText level="h3" label={t('field.strengths')} text={review.strengths} />
        <LabelledText level="h3" label={t('field.improvements')} text={review.improvements} />
        <LabelledText level="h3" label={t('field.comments')} text={review.comments} />
      </div>
    </section>
  );
}

function Criteria({ review: { criteria, criteria_score: score } }: Props) {
  const t = useTranslations('probationReview');
  const format = useFormatter();
  const percent = usePercent(2);
  if (!criteria || criteria.length === 0) return null;
  const two = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return (
    <div>
      <ul className={classes['target']}>
        {criteria.map(({ name, weight, rating, comment }) => (
          <li key={name}>
            <b>
              <bdi>{name}</bdi>
            </b>{' '}
            <span className="muted numbers">{percent(weight)}</span>
            <p>{rating === null ? t('notRated') : t('ratingOf', { rating, word: t(`ratings.${rating as 5}`) })}</p>
            {comment !== null && <p className={classes['words']}>{comment}</p>}
          </li>
        ))}
      </ul>
      {typeof score === 'number' && <p className="muted">{t('criteriaScore', { score: format.number(score, two) })}</p>}
    </div>
  );
}
