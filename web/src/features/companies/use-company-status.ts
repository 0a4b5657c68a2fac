import { entities, type EntityRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useToast } from '../../ui/toasts.tsx';

/** Activates or deactivates a company and offers to undo it. */
export function useCompanyStatus() {
  const t = useTranslations('companies');
  const toast = useToast();
  const send = useSend(entities.update);
  const change = (company: EntityRow): void =>
    send.mutate(
      {
        params: { id: company.id },
        body: { status: company.status === 'active' ? 'inactive' : 'active', revision: company.revision },
      },
      {
        onSuccess: ({ data }) =>
          toast({ text: t(`now.${data.status}`, { name: data.name }), undo: () => change(data) }),
      },
    );
  return { change, error: send.error };
}
