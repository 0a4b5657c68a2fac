import { Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Consequences } from './Consequences.tsx';

type Props = {
  title: string;
  /** The consequences of the step, shown before it is taken. */
  consequences: readonly ReactNode[];
  /** The label of the submit button. */
  action: string;
  danger?: boolean;
  disabled?: boolean;
  error: ApiError | null;
  /** Fields whose inputs show their own messages. */
  fields?: readonly string[];
  isPending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
  size?: 'md' | 'lg';
};

/** The dialog of a lifecycle step: consequences, input fields and submit button. */
export function StepDialog(props: Props) {
  const { title, consequences, action, danger = false, disabled = false, error, fields = [] } = props;
  const t = useTranslations('steps');
  return (
    <Dialog title={title} opened onClose={props.onClose} size={props.size ?? 'md'}>
      <DialogForm onSubmit={props.onSubmit}>
        {consequences.length > 0 && (
          <Consequences single={consequences.length === 1}>
            {consequences.map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- sentences in a fixed order
              <li key={index}>{text}</li>
            ))}
          </Consequences>
        )}
        <ErrorNotice error={error} fields={fields} />
        {props.children}
        <FormActions
          cancel={t('cancel')}
          onCancel={props.onClose}
          submit={action}
          loading={props.isPending}
          disabled={disabled}
          {...(danger && { color: 'red.9' })}
        />
      </DialogForm>
    </Dialog>
  );
}

type ReasonProps = { value: string; onChange: (value: string) => void; error?: string };

/** The reason of the step; it stays in the history. */
export function Reason({ onChange, ...field }: ReasonProps) {
  const t = useTranslations('steps');
  return (
    <Textarea
      {...field}
      label={t('reason')}
      description={t('reasonHint')}
      required
      rows={3}
      maxLength={500}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
