import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError, isOutdated } from '../api/api-error.ts';
import { useSession } from '../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from './drafts.ts';
import { useAttempt } from './use-attempt.ts';
import { compareVersions, type Difference, type Texts } from './versions.ts';

export type Version = { texts: Texts; revision: number };
type Conflict = Version & { differences: Difference[]; merged: Texts };

type Start = { texts: Texts; revision?: number };

type Options<T> = {
  /** Identifies the form and its record: a draft is kept under this name when the session ends. */
  draft: string;
  /** The initial values; without a revision the record is new. */
  start: Start;
  /** Sends the fields that differ from the initial values. */
  send: (changed: Texts, revision: number | undefined) => Promise<T>;
  /** Reads the record again after a concurrent change. */
  reread?: () => Promise<Version>;
  onSaved: (saved: T, changed: Texts) => void;
  /** For a form that stays after saving: its new initial version. */
  goOn?: (saved: T) => Version;
};

const changedIn = (base: Texts, now: Texts): Texts =>
  Object.fromEntries(Object.entries(now).filter(([name, text]) => text.trim() !== (base[name] ?? '')));

/**
 * A form of texts for one record. A refusal is shown at its field. After a concurrent change, non-overlapping changes
 * are merged, and `conflict` holds the overlapping ones. Over 40 lines: its steps call each other.
 */
export function useRecordForm<T>({ draft, start, send, reread, onSaved, goOn }: Options<T>) {
  const { user } = useSession();
  const kept = useStoredDraft<{ base: Start; values: Texts }>(draft, user?.id);
  const [base, setBase] = useState(kept?.base ?? start);
  const { error, setError, isPending, attempt } = useAttempt();
  const [conflict, setConflict] = useState<Conflict>();
  const form = useForm<Record<string, string>>({ initialValues: { ...(kept?.values ?? start.texts) } });
  const isDirty = Object.keys(changedIn(base.texts, form.values)).length > 0;
  useRegisterDraft(draft, () => (isDirty ? { base, values: form.values } : undefined));

  const show = (problem: unknown, mine: Texts): void => {
    if (!(problem instanceof ApiError)) throw problem;
    form.setErrors(problem.fieldErrors);
    const first = Object.keys(mine).find((name) => name in problem.fieldErrors);
    if (first !== undefined) form.getInputNode(first)?.focus();
    setError(problem);
  };
  const store = async (from: Start, mine: Texts): Promise<void> => {
    const changed = changedIn(from.texts, mine);
    try {
      const saved = await send(changed, from.revision);
      if (goOn) setBase(goOn(saved));
      onSaved(saved, changed);
    } catch (problem) {
      if (!reread || !isOutdated(problem, from.revision)) return show(problem, mine);
      await reread().then(
        (theirs) => merge(from, mine, theirs),
        (failure: unknown) => show(failure, mine),
      );
    }
  };
  const merge = async (from: Start, mine: Texts, theirs: Version): Promise<void> => {
    const { merged, differences } = compareVersions(from.texts, mine, theirs.texts);
    if (differences.length > 0) return setConflict({ ...theirs, differences, merged });
    setBase(theirs);
    form.setValues(merged);
    return store(theirs, merged);
  };
  return {
    form,
    error,
    isPending,
    isDirty,
    isNew: base.revision === undefined,
    isKept: kept !== undefined,
    differences: conflict?.differences ?? [],
    save: () => void attempt(() => store(base, form.values)),
    resolve: (chosen: Texts) => {
      if (!conflict) return;
      const values = { ...conflict.merged, ...chosen };
      const theirs = { texts: conflict.texts, revision: conflict.revision };
      setConflict(undefined);
      setBase(theirs);
      form.setValues(values);
      void attempt(() => store(theirs, values));
    },
    backToForm: () => setConflict(undefined),
  };
}

export type RecordForm = ReturnType<typeof useRecordForm>;
