import { Textarea } from '@mantine/core';
import { probationOutcomes, type ProbationReview } from '@tenure/contract';
import { extendedProbationEnd } from '@tenure/contract/probation-days';
import { useTranslations } from 'use-intl';
import classes from '../../../ui/Panes.module.css';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { CriteriaEditor, type Form } from './CriteriaEditor.tsx';

type Props = { form: Form; review: ProbationReview };

const ratings = [1, 2, 3, 4, 5] as const;

/** The form of the assessment, which saves automatically. */
export function AssessmentForm({ form, review }: Props) {
  const t = useTranslations('probationReview');
  const f = useTranslations('probationForm');
  return (
    <section className={classes['pane']} aria-labelledby="assessment">
      <div className={classes['head']}>
        <SectionTitle id="assessment" m={0}>
          {t('assessment')}
        </SectionTitle>
        <p className="muted">{f('lead')}</p>
      </div>
      <div data-gap="performance_rating">
        <Segments
          label={t('field.performance_rating')}
          required
          choices={ratings.map((rating) => ({
            value: String(rating),
            label: t('ratingOf', { rating, word: t(`ratings.${rating}`) }),
          }))}
          value={form.values['performance_rating'] ?? ''}
          error={form.errors['performance_rating']}
          clear={f('clear')}
          onChange={(rating) => form.change({ performance_rating: rating })}
        />
      </div>
      <CriteriaEditor
        form={form}
        guidance={new Map(review.criteria?.map((one) => [one.name, one.guidance]))}
        isFixed={review.criteria_fixed === true}
      />
      <LongText form={form} name="strengths" />
      <LongText form={form} name="improvements" />
      <LongText form={form} name="comments" required />
      {review.milestone === 'final' && <Recommendation form={form} review={review} />}
    </section>
  );
}

function LongText({
  form,
  name,
  required = false,
}: {
  form: Form;
  name: 'strengths' | 'improvements' | 'comments';
  required?: boolean;
}) {
  const t = useTranslations('probationReview');
  return (
    <div data-gap={name}>
      <Textarea
        label={t(`field.${name}`)}
        required={required}
        value={form.values[name] ?? ''}
        error={form.errors[name]}
        maxLength={5_000}
        autosize={false}
        rows={4}
        name={name}
        onChange={(event) => form.change({ [name]: event.currentTarget.value })}
      />
    </div>
  );
}

/** The reviewer's recommendation, with the months of an extension. */
function Recommendation({ form, review }: Props) {
  const t = useTranslations('probationReview');
  const f = useTranslations('probationForm');
  const outcomes = useTranslations('probationOutcome');
  const { recommendation = '', extension_months: months = '' } = form.values;
  const { probation_start_date: start, probation_end_date: end } = review;
  const until = months === '' ? null : extendedProbationEnd(start, end, Number(months));
  return (
    <>
      <div data-gap="recommendation">
        <Segments
          label={t('field.recommendation')}
          required
          choices={probationOutcomes.map((value) => ({ value, label: outcomes(value) }))}
          value={recommendation}
          error={form.errors['recommendation']}
          clear={f('clear')}
          onChange={(value) =>
            form.change({ recommendation: value, ...(value !== 'extend' && { extension_months: '' }) })
          }
        />
      </div>
      {recommendation === 'extend' && (
        <div data-gap="extension_months">
          <Segments
            label={t('field.extension_months')}
            required
            choices={[1, 2, 3, 4, 5, 6].map((count) => ({ value: String(count), label: String(count) }))}
            value={months}
            error={form.errors['extension_months']}
            onChange={(value) => form.change({ extension_months: value })}
          />
          {until !== null && (
            <p className={classes['computed']}>
              {f('wouldEnd')} <Day value={until} />
            </p>
          )}
        </div>
      )}
    </>
  );
}
