import { employees } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import type { StepProps } from '../lifecycle/WithReason.tsx';
import { PictureDialog } from './PictureDialog.tsx';

/** Changes a person's picture. */
export function Picture({ employee, onClose }: StepProps) {
  const t = useTranslations('picture');
  const set = useSend(employees.setPicture);
  const remove = useSend(employees.removePicture);
  const params = { id: employee.id };
  return (
    <PictureDialog
      opened
      title={t('title', { name: employee.display_name })}
      url={employee.profile_picture_url}
      error={set.error ?? remove.error}
      isPending={set.isPending || remove.isPending}
      onSet={(file) => set.mutateAsync({ params, file })}
      onRemove={() => remove.mutateAsync({ params })}
      onClose={onClose}
    />
  );
}
