import { allTokens } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { isId } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { Part } from './Part.tsx';
import { ServiceAccounts, useServiceAccounts } from './ServiceAccounts.tsx';
import { TokenTable } from './TokenTable.tsx';

const route = getRouteApi('/shell/settings/access-tokens');
const OneAccount = lazyPart(() => import('./OneAccount.tsx'), 'OneAccount', 'permissions', 'add-person');

/** How programs get access: service accounts and the tokens of all accounts, or one service account. */
export function AccessTokensPage() {
  const t = useTranslations('accessTokens');
  const { account = '' } = route.useSearch();
  if (isId(account))
    return (
      <Suspense fallback={<LoadingLines lines={7} />}>
        <OneAccount key={account} id={Number(account)} />
      </Suspense>
    );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <ScrollPane>
        <Parts />
      </ScrollPane>
    </>
  );
}

/** The tokens appear only after the accounts above them, so that they do not move. */
function Parts() {
  const { can } = useSession();
  const managesAccounts = can('service-accounts.manage');
  const { isLoading } = useServiceAccounts(1, managesAccounts);
  return (
    <>
      {managesAccounts && <ServiceAccounts />}
      {can('tokens.view_all') && !isLoading && <AllTokens />}
    </>
  );
}

function AllTokens() {
  const t = useTranslations('accessTokens');
  const revoke = useSend(allTokens.delete);
  return (
    <Part title={t('allTokens')} lead={t('allTokensLead')}>
      <TokenTable
        endpoint={allTokens.list}
        input={{}}
        label={t('allTokens')}
        onRevoke={(id) => revoke.mutateAsync({ params: { id } })}
        empty={<Message title={t('noTokens')}>{t('noTokensText')}</Message>}
      />
    </Part>
  );
}
