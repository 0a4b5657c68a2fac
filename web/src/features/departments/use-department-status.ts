import { departments, type Department } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useToast } from '../../ui/toasts.tsx';

/** Activates or deactivates a department and offers to undo it. */
export function useDepartmentStatus() {
  const t = useTranslations('departments');
  const toast = useToast();
  const send = useSend(departments.update);
  const change = (department: Department): void =>
    send.mutate(
      {
        params: { id: department.id },
        body: { status: department.status === 'active' ? 'inactive' : 'active', revision: department.revision },
      },
      {
        onSuccess: ({ data }) =>
          toast({ text: t(`now.${data.status}`, { name: data.name }), undo: () => change(data) }),
      },
    );
  return { change, error: send.error };
}
