import { useForm, type UseFormReturnType } from '@mantine/form';
import { kpiTemplates, type KpiTemplate } from '@tenure/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { ApiError, isOutdated } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { compareVersions, type Difference, type Texts } from '../../ui/versions.ts';
import { decimalSignOf, type DecimalSign } from '../../ui/numbers.ts';
import { bodyOf, changedNames, newTemplate, templateValues, textsOf, valuesOf, type TemplateValues } from './values.ts';
import { withLabel } from '../../ui/with-label.ts';

/** The initial state of the editor: the texts of the stored version, or empty ones. */
export type Base = { texts: Texts; revision: number | undefined };
/** The draft of an editor that is kept at the end of a session. */
export type TemplateDraft = { values: TemplateValues; base: Base };

type Conflict = { theirs: Base; differences: Difference[]; merged: Texts };
type Options = {
  /** Absent for a new template. */
  template?: KpiTemplate | undefined;
  kept?: TemplateDraft | undefined;
  onSaved: (saved: KpiTemplate) => void;
};
const itemFields = [
  'name',
  'description',
  'weight',
  'direction',
  'unit',
  'target_value',
  'baseline_value',
  'tolerance_pct',
  'cap_pct',
  'prorate',
] as const;
type NewStatus = 'draft' | 'active';

/** Items that are on the screen keep their React keys. */
const withKeysOf = (fresh: TemplateValues, shown: TemplateValues): TemplateValues => ({
  ...fresh,
  items: fresh.items.map((item, index) => ({ ...item, key: shown.items[index]?.key ?? item.key })),
});

/**
 * The form of a template. A refusal is shown at its field, also at an item's. After a concurrent change,
 * non-overlapping changes are merged, and the user resolves the `differences`.
 * Over 40 lines: storing and merging call each other.
 */
export function useTemplateForm({ template, kept, onSaved }: Options) {
  const sign = decimalSignOf(useLocale());
  const { form, base, setBase, isDirty, adopt } = useTexts(template, kept, sign);
  const { error, setError, isPending, attempt } = useAttempt();
  const [conflict, setConflict] = useState<Conflict>();
  const { refusals, refuse } = useRefusals(form, setError);
  const send = useSendTemplate(template, sign);
  useNewer(template, base.revision, () => template && !isDirty && !isPending && adopt(template));

  const store = async (from: Base, values: TemplateValues, status: NewStatus): Promise<KpiTemplate | undefined> => {
    try {
      const saved = await send(from, values, status);
      form.clearErrors();
      if (template) adopt(saved);
      onSaved(saved);
      return saved;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (template && isOutdated(problem, from.revision)) return merge(template.id, from, values);
      refuse(problem);
      return undefined;
    }
  };
  const merge = async (id: number, from: Base, values: TemplateValues): Promise<KpiTemplate | undefined> => {
    const found = await compareWithStored(id, from, values, sign).catch(refuse);
    if (found?.differences.length === 0) return storeMerged(found.theirs, valuesOf(found.merged));
    if (found) setConflict(found);
    return undefined;
  };
  const storeMerged = (theirs: Base, values: TemplateValues) => {
    setBase(theirs);
    form.setValues(values);
    return store(theirs, values, 'draft');
  };
  return {
    form,
    sign,
    base,
    error,
    /** The number of refusals; an increase moves the focus to the first message. */
    refusals,
    isPending,
    isDirty,
    differences: conflict?.differences ?? [],
    /** Saves the changes; resolves to the stored template, or undefined if it was refused. */
    save: (status: NewStatus = 'draft') => attempt(() => store(base, form.values, status)),
    refuse,
    resolve: (chosen: Texts) => {
      if (!conflict) return;
      setConflict(undefined);
      void attempt(() => storeMerged(conflict.theirs, valuesOf({ ...conflict.merged, ...chosen })));
    },
    backToForm: () => setConflict(undefined),
  };
}

export type TemplateForm = ReturnType<typeof useTemplateForm>;

/** The form values of the editor beside its initial ones. */
function useTexts(template: KpiTemplate | undefined, kept: TemplateDraft | undefined, sign: DecimalSign) {
  const [start] = useState(() => (template ? templateValues(template, sign) : newTemplate()));
  const [base, setBase] = useState<Base>(kept?.base ?? { texts: textsOf(start), revision: template?.revision });
  const form = useForm<TemplateValues>({ initialValues: kept?.values ?? start });
  const isDirty = changedNames(base.texts, textsOf(form.values)).length > 0;
  const adopt = (stored: KpiTemplate) => {
    const values = templateValues(stored, sign);
    setBase({ texts: textsOf(values), revision: stored.revision });
    form.setValues(withKeysOf(values, form.values));
  };
  return { form, base, setBase, isDirty, adopt };
}

async function compareWithStored(id: number, from: Base, values: TemplateValues, sign: DecimalSign): Promise<Conflict> {
  const { data } = await call(kpiTemplates.get, { params: { id } });
  const theirs = { texts: textsOf(templateValues(data, sign)), revision: data.revision };
  const { merged, differences } = compareVersions(from.texts, textsOf(values), theirs.texts);
  // If both versions moved items, the order on this screen wins.
  return { theirs, merged, differences: differences.filter(({ name }) => name !== 'order') };
}

/** Shows a refusal at its fields or above the form, and counts refusals. */
function useRefusals(form: UseFormReturnType<TemplateValues>, setError: (error: ApiError | undefined) => void) {
  const named = useNamedErrors();
  const [refusals, setRefusals] = useState(0);
  const refuse = (problem: ApiError) => {
    form.setErrors(named(problem.fieldErrors));
    // The message about the company disappears once one is chosen.
    setError(problem.status === 403 && problem.refusal.errors ? undefined : problem);
    setRefusals((count) => count + 1);
  };
  return { refusals, refuse };
}

/** Sends the changes of an editor; a new template is sent with its status. */
function useSendTemplate(template: KpiTemplate | undefined, sign: DecimalSign) {
  const create = useSend(kpiTemplates.create);
  const update = useSend(kpiTemplates.update);
  return async (from: Base, values: TemplateValues, status: NewStatus): Promise<KpiTemplate> => {
    const changed = changedNames(from.texts, textsOf(values));
    const body = bodyOf(values, changed, sign);
    if (!template) return (await create.mutateAsync({ body: { name: '', items: [], ...body, status } })).data;
    if (changed.length === 0) return template;
    const sent = { params: { id: template.id }, body: { ...body, revision: from.revision } };
    return (await update.mutateAsync(sent)).data;
  };
}

/** Calls `onNewer` if a refetched template is newer than the editor's version. */
function useNewer(template: KpiTemplate | undefined, known: number | undefined, onNewer: () => void): void {
  const newer = useEffectEvent(onNewer);
  const revision = template?.revision;
  useEffect(() => {
    if (revision !== undefined && known !== undefined && revision > known) newer();
  }, [revision, known]);
}

/** Messages about an item name a field by its label: not "items.1.weight" but "Weight". */
function useNamedErrors() {
  const t = useTranslations('kpiTemplates.field');
  const labels = itemFields.map((field) => [field, t(field)] as const);
  return (errors: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(errors).map(([key, text]) => {
        const label = key.startsWith('items.') && labels.find(([field]) => key.endsWith(`.${field}`));
        return [key, label ? withLabel(text, label[1]) : text];
      }),
    );
}
