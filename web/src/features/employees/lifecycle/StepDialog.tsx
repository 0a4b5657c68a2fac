import { Button, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { Dialog, DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Consequences } from './Consequences.tsx';

type Props = {
  title: string;
  /** What the step will bring about, before anybody takes it. */
  consequences: readonly ReactNode[];
  /** The button that takes it. */
  action: string;
  danger?: boolean;
  disabled?: boolean;
  error: ApiError | null;
  /** Fields that show their messages themselves. */
  fields?: readonly string[];
  isPending: boolean;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
  size?: 'md' | 'lg';
};

/** A step in the life of an employment: what follows from it, what it needs to know, and the button. */
export function StepDialog(props: Props) {
  const { title, consequences, action, danger = false, disabled = false, error, fields = [] } = props;
  const t = useTranslations('steps');
  return (
    <Dialog title={title} opened onClose={props.onClose} size={props.size ?? 'md'}>
      <DialogForm onSubmit={props.onSubmit}>
        {consequences.length > 0 && (
          <Consequences>
            {consequences.map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- sentences in a fixed order
              <li key={index}>{text}</li>
            ))}
          </Consequences>
        )}
        <ErrorNotice error={error} fields={fields} />
        {props.children}
        <DialogActions>
          <Button variant="default" onClick={props.onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={props.isPending} disabled={disabled} {...(danger && { color: 'red.9' })}>
            {action}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

type ReasonProps = { value: string; onChange: (value: string) => void; error?: string };

/** Why; it stands in the history for good. */
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
