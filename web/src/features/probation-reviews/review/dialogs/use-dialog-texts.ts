import { useKeptTexts, type KeptTexts } from '../../../../workflow/use-kept-texts.ts';
import type { ProbationAction } from '../../search.ts';

/** The input of a review's dialogs, except signatures. */
export const useDialogTexts = (id: number) => useKeptTexts<ProbationAction>(`probation.${id}.steps`);

export type DialogTexts = KeptTexts;
