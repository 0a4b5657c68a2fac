import { Button, Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { DeliveryChoice } from './DeliveryChoice.tsx';
import { previewQuery, type Delivery, type IssuePreview, type Purpose, type Refusal } from './issue.ts';
import { Issued } from './Issued.tsx';
import { RefusedList } from './RefusedList.tsx';
import { useIssue } from './use-issue.ts';
import { Consequences } from '../lifecycle/Consequences.tsx';
import type { ApiError } from '../../../api/api-error.ts';

type Props = {
  purpose: Purpose;
  /** Identifies the set of people in the query cache. */
  name: string;
  load: (signal: AbortSignal) => Promise<readonly number[]>;
  onClose: () => void;
  onDone?: () => void;
};

/** Issues passwords to many people: preview and delivery, then progress, then the passwords. */
export function PasswordsDialog({ purpose, name, load, onClose, onDone }: Props) {
  const t = useTranslations('passwords');
  const plan = useQuery(previewQuery(purpose, name, load));
  const { state, start, goOn } = useIssue(purpose);
  const [isKept, setKept] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const isUnsafe =
    state !== undefined && (state.isRunning || (state.delivery === 'screen' && state.given.length > 0 && !isKept));
  const close = () => {
    if (isUnsafe && !isLeaving) return setLeaving(true);
    if (state) onDone?.();
    onClose();
  };
  const content = () => {
    if (isLeaving && isUnsafe)
      return <Leaving onStay={() => setLeaving(false)} onLeave={close} isRunning={state.isRunning} />;
    if (state) return <Issued issuing={state} onGoOn={goOn} onKept={() => setKept(true)} onClose={close} />;
    if (plan.data) return <Choice purpose={purpose} plan={plan.data} onClose={onClose} onStart={start} />;
    const retry = () => void plan.refetch();
    if (plan.error) return <NoPlan error={plan.error} isPending={plan.isFetching} onRetry={retry} onClose={onClose} />;
    return (
      <Group component="output" gap="xs">
        <Loader size="sm" /> {t('looking')}
      </Group>
    );
  };
  return (
    <Dialog title={t(`${purpose}.title`)} opened onClose={close} size={state ? 'xl' : 'lg'}>
      <LeaveGuard when={isUnsafe} />
      {content()}
    </Dialog>
  );
}

type NoPlanProps = { error: ApiError; isPending: boolean; onRetry: () => void; onClose: () => void };

/** The state while the preview loads or after it failed. */
function NoPlan({ error, isPending, onRetry, onClose }: NoPlanProps) {
  const t = useTranslations('passwords');
  return (
    <>
      <ErrorNotice error={error} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button onClick={onRetry} loading={isPending}>
          {t('retry')}
        </Button>
      </DialogActions>
    </>
  );
}

type ChoiceProps = {
  purpose: Purpose;
  plan: IssuePreview;
  onStart: (delivery: Delivery, ready: readonly number[], refused: readonly Refusal[]) => void;
  onClose: () => void;
};

function Choice({ purpose, plan: { mailIsOn, linkDays: days, through, of }, onStart, onClose }: ChoiceProps) {
  const t = useTranslations('passwords');
  const [delivery, setDelivery] = useState<Delivery>(mailIsOn ? 'mail' : 'screen');
  const { ready, refused } = of[delivery];
  const count = ready.length;
  const toProviders = purpose === 'invitation' && delivery === 'mail' ? through : [];
  // the text mentions a link only if some mails have one
  const hasLink = toProviders.reduce((all, one) => all - one.count, count) > 0 || toProviders.length === 0;
  const isAnyone = mailIsOn && of.mail.ready.length + of.screen.ready.length > 0;
  return (
    <DialogForm onSubmit={() => onStart(delivery, ready, refused)}>
      <p>{t(`${purpose}.ready`, { count })}</p>
      {isAnyone && (
        <DeliveryChoice
          label={t(`${purpose}.how`)}
          choices={(['mail', 'screen'] as const).map((value) => ({
            value,
            label: t(`${purpose}.delivery.${value}`),
            ...((hasLink || value !== 'mail') && { about: t(`${purpose}.about.${value}`, { days }) }),
          }))}
          value={delivery}
          onChange={setDelivery}
        />
      )}
      {count > 0 && (
        <Consequences>
          {(hasLink ? (['first', 'second', 'third'] as const) : (['second', 'third'] as const)).map((line) => (
            <li key={line}>{t(`${purpose}.then.${delivery}.${line}`, { days })}</li>
          ))}
          {toProviders.map((one) => (
            <li key={one.provider}>{t('invitation.through', one)}</li>
          ))}
        </Consequences>
      )}
      <RefusedList purpose={purpose} refused={refused} />
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t(`${purpose}.start.${delivery}`, { count })}
        disabled={count === 0}
      />
    </DialogForm>
  );
}

type LeavingProps = { isRunning: boolean; onStay: () => void; onLeave: () => void };

function Leaving({ isRunning, onStay, onLeave }: LeavingProps) {
  const t = useTranslations('passwords');
  return (
    <>
      <p role="alert">{t(isRunning ? 'leavingEarly' : 'leaving')}</p>
      <DialogActions>
        <Button variant="default" onClick={onLeave}>
          {t('leave')}
        </Button>
        <Button data-autofocus onClick={onStay}>
          {t('stay')}
        </Button>
      </DialogActions>
    </>
  );
}
