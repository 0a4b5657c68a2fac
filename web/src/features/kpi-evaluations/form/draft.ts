import type { BodyIn, evaluationSteps, KpiEvaluation } from '@tenure/contract';
import {
  createAutosave,
  type Autosave,
  type AutosaveState,
  type AutosaveDraft,
  type DraftOptions,
} from '../../../ui/autosave.ts';
import type { DecimalSign } from '../../../ui/numbers.ts';
import { bodyOf, namedErrors, textsOf, writtenSide, type Side } from './values.ts';

export type Draft = Autosave<KpiEvaluation, Side>;
export type DraftState = AutosaveState<Side>;
type KeptDraft = AutosaveDraft<Side>;

type Body = BodyIn<typeof evaluationSteps.update>;

/** The draft options of an evaluation, with numbers in the user's format. */
export const draftOptions = (sign: DecimalSign): DraftOptions<KpiEvaluation, Body, Side> => ({
  sideOf: writtenSide,
  textsOf: (evaluation, side) => textsOf(evaluation, side, sign),
  bodyOf: (values, changed, side) => bodyOf(values, changed, side, sign),
  namedErrors: (errors, changed) => {
    const sent = [...new Set(changed.map((name) => /^item\.(\d+)\./.exec(name)?.[1]))].flatMap((id) =>
      id === undefined ? [] : [{ id: Number(id) }],
    );
    return namedErrors(errors, sent);
  },
});

type Saving = {
  send: (body: Body) => Promise<KpiEvaluation>;
  reread: () => Promise<KpiEvaluation>;
  sign: DecimalSign;
};

export const createDraft = (evaluation: KpiEvaluation, { sign, ...saving }: Saving, kept?: KeptDraft): Draft =>
  createAutosave(evaluation, draftOptions(sign), saving, kept);
