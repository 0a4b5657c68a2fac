import { employeePasswords } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { OneTimePassword } from '../../../ui/OneTimePassword.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { DeliveryChoice } from './DeliveryChoice.tsx';
import { previewQuery, type Delivery } from './issue.ts';
import { StepDialog } from '../lifecycle/StepDialog.tsx';
import { useStep } from '../lifecycle/use-step.ts';
import type { StepProps } from '../lifecycle/WithReason.tsx';

/** Resets a person's password: by a link in a mail to them, or by a one-time password to pass on. */
export function ResetPassword({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('reset-password', employeePasswords.resetPassword, employee);
  const plan = useQuery(previewQuery('password_reset', `person ${employee.id}`, () => Promise.resolve([employee.id])));
  const [chosen, setChosen] = useState<Delivery>();
  const [issued, setIssued] = useState<{ name: string; one_time_password: string; expires_at: string }>();
  const name = employee.display_name;
  if (issued) return <OneTimePassword issued={issued} onClose={onClose} />;
  const delivery = chosen ?? (plan.data?.mailIsOn ? 'mail' : 'screen');
  return (
    <StepDialog
      title={t('resetPassword.title', { name })}
      consequences={[t(`resetPassword.then.${delivery}`, { name }), t(`resetPassword.later.${delivery}`, { name })]}
      action={t(`resetPassword.action.${delivery}`)}
      disabled={plan.isPending}
      error={state.error}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ delivery }, ({ one_time_password, expires_at }) => {
          if (one_time_password !== undefined && expires_at !== undefined)
            return setIssued({ name, one_time_password, expires_at });
          toast({ text: t('resetPassword.sent', { name }) });
          onClose();
        })
      }
    >
      {plan.data?.mailIsOn && (
        <DeliveryChoice
          label={t('resetPassword.how')}
          choices={(['mail', 'screen'] as const).map((value) => ({ value, label: t(`resetPassword.${value}`) }))}
          value={delivery}
          onChange={setChosen}
        />
      )}
    </StepDialog>
  );
}
