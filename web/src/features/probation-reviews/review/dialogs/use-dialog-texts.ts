import { useState } from 'react';
import { useSession } from '../../../../api/session.tsx';
import { useRegisterDraft, useStoredDraft } from '../../../../ui/drafts.ts';
import type { Texts } from '../../../../ui/versions.ts';
import type { ProbationAction } from '../../search.ts';

type All = { [K in ProbationAction]?: Texts };

/**
 * The input of a review's dialogs, except signatures. It stays until its step is taken or the page is left, and
 * survives the end of a session.
 */
export function useDialogTexts(id: number) {
  const { user } = useSession();
  const name = `probation.${id}.steps`;
  const kept = useStoredDraft<All>(name, user?.id);
  const [all, setAll] = useState<All>(kept ?? {});
  useRegisterDraft(name, () => (Object.keys(all).length > 0 ? all : undefined));
  return {
    of: (action: ProbationAction): DialogTexts => ({
      of: (field) => all[action]?.[field] ?? '',
      set: (field, text) => setAll((old) => ({ ...old, [action]: { ...old[action], [field]: text } })),
    }),
    forget: (action: ProbationAction) => setAll(({ [action]: _gone, ...others }) => others),
  };
}

/** The texts of one dialog, by field name. */
export type DialogTexts = { of: (field: string) => string; set: (field: string, text: string) => void };
