import { Alert, Stack, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { signInPolicies, type PolicyPreflight, type SignInPolicy } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { BulletList } from '../../../ui/BulletList.tsx';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { demandsMore, type RuleBody } from './draft.ts';
import { Unlinked } from './Unlinked.tsx';

type Props = {
  target: string;
  policy: SignInPolicy;
  body: RuleBody;
  /** The company will follow the default, whose rule `body` then is. */
  follows: boolean;
  onClose: () => void;
  onSaved: () => void;
};

/** The effects of a rule, before it is saved. */
export function Review({ target, policy, body, follows, onClose, onSaved }: Props) {
  const t = useTranslations('signInRules');
  const [typed, setTyped] = useState('');
  const { save, error, isPending } = useSave({ target, policy, body, follows, onSaved });
  const checked = useQuery({
    ...load(signInPolicies.preflight, { params: { entity: target }, body }),
    gcTime: 0,
    retry: false,
  });
  const shown = checked.data?.data;
  const word = policy.entity?.name ?? t('typedDefault');
  const asks = demandsMore(policy, body);
  // a company can follow the default even if the default has blockers
  const isBlocked = !follows && (shown?.blockers.length ?? 1) > 0;
  return (
    <Dialog title={t('reviewTitle')} opened size="lg" onClose={onClose}>
      <DialogForm onSubmit={save}>
        {checked.isPending && (
          <>
            <output className="visually-hidden">{t('checking')}</output>
            <LoadingLines lines={4} />
          </>
        )}
        <ErrorNotice error={error ?? checked.error} />
        {shown && <Blockers blockers={follows ? [] : shown.blockers} />}
        {shown && <Effects shown={shown} />}
        {shown && shown.unlinked_count > 0 && (
          <Unlinked target={target} providers={body.sso_provider_ids as number[]} count={shown.unlinked_count} />
        )}
        {shown && asks && !isBlocked && (
          <TextInput
            label={t('type', { name: word })}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        <FormActions
          cancel={t('cancel')}
          onCancel={onClose}
          submit={t('save')}
          loading={isPending}
          disabled={!shown || isBlocked || (asks && !isTyped(typed, word))}
          {...(asks && { color: 'red' })}
        />
      </DialogForm>
    </Dialog>
  );
}

const isTyped = (typed: string, word: string) => typed.trim().toLowerCase() === word.trim().toLowerCase();

function useSave({ target, policy, body, follows, onSaved }: Omit<Props, 'onClose'>) {
  const t = useTranslations('signInRules');
  const toast = useToast();
  const update = useSend(signInPolicies.update);
  const reset = useSend(signInPolicies.reset);
  const onSuccess = () => {
    onSaved();
    toast({ text: t('saved') });
  };
  const params = { entity: target };
  const { error, isPending } = follows ? reset : update;
  return {
    error,
    isPending,
    save: () =>
      follows
        ? reset.mutate({ params }, { onSuccess })
        : update.mutate({ params, body: { ...body, revision: policy.revision } }, { onSuccess }),
  };
}

const danger = { color: 'var(--danger)' };

function Blockers({ blockers }: { blockers: readonly string[] }) {
  const t = useTranslations('signInRules');
  if (blockers.length === 0) return null;
  return (
    <Alert
      color="red"
      bg="var(--danger-bg)"
      styles={{ icon: danger, message: danger, title: danger }}
      icon={<IconAlertTriangle size={18} />}
      title={t('blocked')}
      role="alert"
    >
      <BulletList gap={4}>
        {blockers.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </BulletList>
    </Alert>
  );
}

function Effects({ shown }: { shown: PolicyPreflight }) {
  const t = useTranslations('signInRules');
  const { sessions_to_end: sessions, unlinked_count: unlinked, without_factor_count: without } = shown;
  const effects = [
    ...(sessions > 0 ? [t('sessions', { count: sessions })] : []),
    ...(unlinked > 0
      ? [`${t('unlinked', { count: unlinked })} ${t('notFound', { count: shown.not_found_count })}`]
      : []),
    ...(without > 0 ? [t('withoutFactor', { count: without })] : []),
  ];
  return (
    <Stack gap={14}>
      {effects.length === 0 ? (
        <p>{t('nothing')}</p>
      ) : (
        <BulletList>
          {effects.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </BulletList>
      )}
      {shown.warnings.length > 0 && (
        <Notice>
          <p style={{ fontWeight: 600 }}>{t('know')}</p>
          <BulletList gap={4}>
            {shown.warnings.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </BulletList>
        </Notice>
      )}
    </Stack>
  );
}
