import { useTranslations } from 'use-intl';
import { ConflictView } from '../../../ui/ConflictView.tsx';
import type { Draft, DraftState } from './use-draft.ts';
import { useShownValue } from './use-shown-value.ts';
import type { AssessmentField } from './values.ts';

type Props = { draft: Draft; state: DraftState };

/** Both versions after a concurrent change, with a choice for each field. */
export function Conflict({ draft, state: { conflict } }: Props) {
  const t = useTranslations('probationReview');
  const show = useShownValue();
  return (
    <ConflictView
      differences={conflict?.differences ?? []}
      label={(name) => t(`field.${name as AssessmentField}`)}
      show={show}
      onResolve={draft.resolve}
      onCancel={draft.backToForm}
    />
  );
}
