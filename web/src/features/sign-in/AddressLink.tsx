import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { accountLinks, type Reply } from '@tenure/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call, type Input } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Message } from '../../ui/Message.tsx';
import { AccountForm } from './AccountForm.tsx';

type Props = {
  token: string;
  purpose: 'address_change' | 'address_stop';
  /** The masked address. */
  account: string;
  onDead: () => void;
};

/** Confirms a new sign-in address, or cancels the change. Opening the link does neither: mail scanners open it too. */
export function AddressLink({ token, purpose, account, onDead }: Props) {
  const t = useTranslations(`addressLink.${purpose}`);
  const tReset = useTranslations('resetPassword');
  const queries = useQueryClient();
  const settle = useMutation<Reply<typeof accountLinks.settle>, ApiError, Input<typeof accountLinks.settle>>({
    mutationFn: (input) => call(accountLinks.settle, input),
    onSuccess: () => queries.removeQueries({ queryKey: sessionQuery.queryKey }),
    onError: (error) => {
      if ('token' in error.fieldErrors && error.status === 422) onDead();
    },
  });
  if (settle.isSuccess)
    return (
      <Message
        page
        icon={IconCircleCheck}
        title={t('done')}
        actions={
          <Button component={Link} to={paths.signIn}>
            {tReset('signIn')}
          </Button>
        }
      >
        {t('doneText')}
      </Message>
    );
  return (
    <AccountForm
      title={t('title')}
      lead={t('lead', { account })}
      onSubmit={(event) => {
        event?.preventDefault();
        settle.mutate({ body: { token } });
      }}
    >
      <ErrorNotice error={settle.error} />
      <Button type="submit" size="md" fullWidth loading={settle.isPending}>
        {t('submit')}
      </Button>
    </AccountForm>
  );
}
