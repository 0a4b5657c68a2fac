import { useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from '../ui/drafts.ts';
import type { Texts } from '../ui/versions.ts';

/**
 * The input of the dialogs of a record, by action. It stays until its step is taken or the page is left, and survives
 * the end of a session.
 * @param name the record; unique among all forms
 */
export function useKeptTexts<Action extends string>(name: string) {
  type All = { [K in Action]?: Texts };
  const { user } = useSession();
  const kept = useStoredDraft<All>(name, user?.id);
  const [all, setAll] = useState<All>(kept ?? {});
  useRegisterDraft(name, () => (Object.keys(all).length > 0 ? all : undefined));
  return {
    of: (action: Action): KeptTexts => ({
      of: (field) => all[action]?.[field] ?? '',
      set: (field, text) => setAll((old) => ({ ...old, [action]: { ...old[action], [field]: text } })),
    }),
    clear: (action: Action) => setAll(({ [action]: _gone, ...others }) => others as All),
  };
}

/** The texts of one dialog, by field name. */
export type KeptTexts = { of: (field: string) => string; set: (field: string, text: string) => void };
