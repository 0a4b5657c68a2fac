import { kpiTemplates, type KpiTemplate } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useToast } from '../../ui/toasts.tsx';
import type { TemplateForm } from './use-template-form.ts';

/** Activates what stands in a builder: it is stored first, and what is missing shows at the fields. */
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
