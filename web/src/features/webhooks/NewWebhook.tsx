import { Button } from '@mantine/core';
import { webhooks } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Back } from './Back.tsx';
import { newTexts } from './fields.ts';
import { ShownSecret } from './Secret.tsx';
import { WebhookForm } from './WebhookForm.tsx';

const route = getRouteApi('/shell/settings/webhooks');

/** The form of a new webhook; its secret is shown after it is created. */
export function NewWebhook() {
  const t = useTranslations('webhooks');
  return (
    <>
      <PageHeader title={t('newTitle')} lead={t('newLead')}>
        <Back />
      </PageHeader>
      <Form />
    </>
  );
}

function Form() {
  const t = useTranslations('webhooks');
  const navigate = route.useNavigate();
  const toast = useToast();
  const accounts = useQuery(load(webhooks.accounts, {}));
  const create = useSend(webhooks.create);
  const [made, setMade] = useState<{ id: number; secret: string }>();
  if (accounts.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(accounts))
    return <ErrorState page error={accounts.error} onRetry={() => void accounts.refetch()} />;
  const { data: offered } = accounts.data;
  if (offered.length === 0) return <NoAccount />;
  const open = (id: number) => void navigate({ search: { webhook: String(id) }, ignoreBlocker: true, replace: true });
  return (
    <ScrollPane>
      <WebhookForm
        draft="webhook"
        start={{ texts: newTexts(offered[0]?.id) }}
        accounts={offered}
        submit={t('add')}
        onSend={async (body) => {
          const account = offered[0]?.id ?? 0;
          const { data, secret } = await create.mutateAsync({
            body: { name: '', url: '', service_account_id: account, ...body },
          });
          if (secret !== null) setMade({ id: data.id, secret });
          return data;
        }}
        onSaved={({ id, signature }) => {
          toast({ text: t('added') });
          if (signature === 'v1a') open(id);
        }}
      />
      <ShownSecret secret={made?.secret} onClose={() => made && open(made.id)} />
    </ScrollPane>
  );
}

/** A webhook needs a service account, whose permissions determine what may be sent. */
function NoAccount() {
  const t = useTranslations('webhooks');
  return (
    <Message
      title={t('noAccount')}
      actions={<Button renderRoot={(props) => <Link {...props} to={paths.accessTokens} />}>{t('toAccounts')}</Button>}
    >
      {t('noAccountText')}
    </Message>
  );
}
