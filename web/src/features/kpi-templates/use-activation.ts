import { kpiTemplates, type KpiTemplate } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useToast } from '../../ui/toasts.tsx';
import type { TemplateForm } from './use-template-form.ts';

/** Activates the input of an editor: it is stored first, and missing fields show their errors. */
export function useActivation(record: TemplateForm, template: KpiTemplate | undefined) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const send = useSend(kpiTemplates.activate);
  return {
    activate: async () => {
      const stored = await record.save('active');
      if (!stored || !template) return;
      send.mutate(
        { params: { id: stored.id }, body: { revision: stored.revision } },
        { onSuccess: ({ data }) => toast({ text: t('activated', { name: data.name }) }), onError: record.refuse },
      );
    },
  };
}
