import { kpiEvaluations, kpiEvidence, type Evidence } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../../../api/call.ts';
import { defer, flush, cancelDeferred } from '../../../../ui/deferred.ts';
import { useToast } from '../../../../ui/toasts.tsx';

/** The key of a deletion that can still be undone. */
export const deletionOf = ({ id }: Pick<Evidence, 'id'>): string => `evidence.${id}`;

/** Deletes a piece of evidence once the time to undo is over. */
export function useDelete(): (evidence: Evidence) => void {
  const t = useTranslations('kpiEvidence');
  const toast = useToast();
  const queries = useQueryClient();
  return (evidence) => {
    const name = deletionOf(evidence);
    const label = evidence.file_name ?? evidence.url ?? t('note');
    const params = { id: evidence.evaluation_id, evidenceId: evidence.id };
    defer(name, async (options) => {
      try {
        await call(kpiEvidence.delete, { params }, options);
      } catch {
        toast({ text: t('notDeleted', { name: label }) });
      }
      await queries.invalidateQueries({ queryKey: [kpiEvidence.list.path] });
      await queries.invalidateQueries({ queryKey: [kpiEvaluations.get.path] });
    });
    toast({ text: t('deleted', { name: label }), undo: () => cancelDeferred(name), onGone: () => void flush(name) });
  };
}
