import type { KpiEvaluation } from '@tenure/contract';
import type { Texts } from '../../../ui/versions.ts';
import { UnsavableEdits as Edits } from '../../../workflow/UnsavableEdits.tsx';
import { useFieldName, useShownValue } from './Conflict.tsx';

type Props = { texts: Texts; evaluation: KpiEvaluation; onDone: () => void };

/** Edits that can no longer be saved. */
export function UnsavableEdits({ evaluation, ...props }: Props) {
  return <Edits {...props} label={useFieldName(evaluation)} show={useShownValue()} />;
}
