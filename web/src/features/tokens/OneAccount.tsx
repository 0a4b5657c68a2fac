import { Button, Group } from '@mantine/core';
import { serviceAccounts, tokenDays, type ServiceAccount } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { AccountDialog } from './AccountDialog.tsx';
import { AccountRoles } from './AccountRoles.tsx';
import { AccountSwitches } from './AccountSwitches.tsx';
import { MakeToken } from './MakeToken.tsx';
import { Part } from './Part.tsx';
import { TokenTable } from './TokenTable.tsx';

const days = { choices: [30, 90, 180, 365, tokenDays.maxForService], usual: tokenDays.service };

/** One service account: its details, roles and tokens. */
export function OneAccount({ id }: { id: number }) {
  const t = useTranslations('accessTokens');
  const query = useQuery(load(serviceAccounts.get, { params: { id } }));
  const [isEditing, setIsEditing] = useState(false);
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: account } = query.data;
  return (
    <>
      <PageHeader title={account.name} lead={<Lead account={account} />}>
        <Button component={Link} to={paths.accessTokens} variant="subtle">
          {t('allAccounts')}
        </Button>
        <AccountSwitches account={account} />
        <Button variant="default" onClick={() => setIsEditing(true)}>
          {t('editAccount')}
        </Button>
      </PageHeader>
      <ScrollPane>
        <AccountRoles key={account.revision} account={account} />
        <Tokens account={account} />
      </ScrollPane>
      <AccountDialog account={account} opened={isEditing} onClose={() => setIsEditing(false)} />
    </>
  );
}

function Lead({ account: { is_enabled: isOn, description, owners, cidrs } }: { account: ServiceAccount }) {
  const t = useTranslations('accessTokens');
  return (
    <Group component="span" gap="2px 12px">
      <StatusBadge tone={isOn ? 'good' : 'quiet'} label={t(isOn ? 'on' : 'off')} />
      {description !== null && <bdi>{description}</bdi>}
      <span>
        {t('owners')}: <bdi>{owners.map(({ name }) => name).join(', ')}</bdi>
      </span>
      {cidrs && (
        <span>
          {t('networks')}: <bdi>{cidrs.join(', ')}</bdi>
        </span>
      )}
    </Group>
  );
}

function Tokens({ account: { id, permissions, allowed_actions: allowed } }: { account: ServiceAccount }) {
  const t = useTranslations('accessTokens');
  const create = useSend(serviceAccounts.createToken);
  const revoke = useSend(serviceAccounts.deleteToken);
  const send = {
    ...create,
    mutate: (body: object, options: object) => create.mutate({ params: { id }, body } as never, options),
  };
  return (
    <Part
      title={t('tokens')}
      actions={allowed.includes('tokens') && <MakeToken offered={permissions} days={days} send={send} />}
    >
      <TokenTable
        endpoint={serviceAccounts.tokens}
        input={{ params: { id } }}
        label={t('tokens')}
        onRevoke={(tokenId) => revoke.mutateAsync({ params: { id, tokenId } })}
        empty={<Message title={t('noTokens')}>{t('noTokensText')}</Message>}
      />
    </Part>
  );
}
