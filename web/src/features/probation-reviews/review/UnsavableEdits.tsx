import { useTranslations } from 'use-intl';
import type { Texts } from '../../../ui/versions.ts';
import { UnsavableEdits as Edits } from '../../../workflow/UnsavableEdits.tsx';
import { useShownValue } from './use-shown-value.ts';
import type { AssessmentField } from './values.ts';

type Props = { texts: Texts; onDone: () => void };

/** Edits that can no longer be saved. */
export function UnsavableEdits(props: Props) {
  const t = useTranslations('probationReview');
  return <Edits {...props} label={(name) => t(`field.${name as AssessmentField}`)} show={useShownValue()} />;
}
