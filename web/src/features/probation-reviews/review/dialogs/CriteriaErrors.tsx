import type { ProbationReview } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { withLabel } from '../../../../ui/with-label.ts';
import { fieldOfCriterion } from './criterion-field.ts';

type Props = { review: ProbationReview; errors: Readonly<Record<string, string>> };

/** The service's messages about criteria, by name. */
export function CriteriaErrors({ review, errors }: Props) {
  const t = useTranslations('probationSteps');
  const messages = Object.entries(errors).flatMap(([path, text]) => {
    const found = fieldOfCriterion(path);
    if (!found) return [];
    const name = review.criteria?.[found.index]?.name ?? '';
    return [{ path, text: t('ofCriterion', { name, text: withLabel(text, t(`criterionField.${found.field}`)) }) }];
  });
  if (messages.length === 0) return null;
  return (
    <ul role="alert" style={{ color: 'var(--danger)' }}>
      {messages.map(({ path, text }) => (
        <li key={path}>{text}</li>
      ))}
    </ul>
  );
}
