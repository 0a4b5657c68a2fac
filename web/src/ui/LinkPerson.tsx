import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { Dialog, DialogForm, FormActions } from './Dialog.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { PersonPicker } from './PersonPicker.tsx';

type Props = {
  title: string;
  /** The effect of the link. */
  children: ReactNode;
  opened: boolean;
  error: ApiError | null;
  isPending: boolean;
  onLink: (employeeId: number) => void;
  onClose: () => void;
};

/** Asks which employee a user of an identity provider is. */
export function LinkPerson({ title, children, opened, error, isPending, onLink, onClose }: Props) {
  const t = useTranslations('linkPerson');
  const [employee, setEmployee] = useState<number>();
  return (
    <Dialog title={title} opened={opened} onClose={onClose}>
      <DialogForm onSubmit={() => employee !== undefined && onLink(employee)}>
        {children}
        <ErrorNotice error={error} fields={['employee_id']} />
        <PersonPicker
          label={t('person')}
          value={employee}
          onChange={setEmployee}
          error={error?.fieldErrors['employee_id']}
          required
        />
        <FormActions
          cancel={t('cancel')}
          onCancel={onClose}
          submit={t('confirm')}
          loading={isPending}
          disabled={employee === undefined}
        />
      </DialogForm>
    </Dialog>
  );
}
