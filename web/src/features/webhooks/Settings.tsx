import { Stack } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { Moment } from '../../ui/Dates.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { textsOf } from './fields.ts';
import { Signature } from './Secret.tsx';
import { Hours } from './State.tsx';
import { WebhookForm } from './WebhookForm.tsx';

const versionOf = (webhook: Webhook) => ({ texts: textsOf(webhook), revision: webhook.revision });

/** The state of a webhook, its key and its settings. */
export function Settings({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const canUpdate = webhook.allowed_actions.includes('update');
  return (
    <ScrollPane>
      <Stack gap={28} px="gutter" pt={20} pb={28} maw="62rem">
        <Overview webhook={webhook} />
        <Signature webhook={webhook} />
      </Stack>
      <SectionTitle px="gutter" pb={12}>
        {t('part.settings')}
      </SectionTitle>
      {/* pausing changes the version of the webhook, so the form remounts */}
      {canUpdate ? (
        <Form key={`${webhook.status} ${webhook.public_key}`} webhook={webhook} />
      ) : (
        <p className="muted" style={{ paddingInline: 'var(--gutter)' }}>
          {t('notCovered')}
        </p>
      )}
    </ScrollPane>
  );
}

function Overview({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const {
    url,
    service_account: account,
    hours,
    pending_count,
    dead_count,
    last_sent_at: last,
    failing_since,
  } = webhook;
  return (
    <DescriptionList
      title={t('overview')}
      items={[
        { label: t('field.url'), value: <bdi>{url}</bdi> },
        { label: t('field.service_account_id'), value: <bdi>{account.name}</bdi> },
        { label: t('day'), value: <Hours hours={hours} /> },
        { label: t('pending'), value: pending_count },
        { label: t('dead'), value: dead_count },
        { label: t('last'), value: last === null ? t('never') : <Moment value={last} /> },
        failing_since !== null && { label: t('failingSince'), value: <Moment value={failing_since} /> },
      ]}
    />
  );
}

function Form({ webhook }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const toast = useToast();
  const update = useSend(webhooks.update);
  const accounts = useQuery(load(webhooks.accounts, {}));
  if (accounts.isPending) return <LoadingLines lines={5} />;
  if (failedWithoutData(accounts)) return <ErrorState error={accounts.error} onRetry={() => void accounts.refetch()} />;
  const { id } = webhook;
  return (
    <WebhookForm
      draft={`webhook.${id}`}
      start={versionOf(webhook)}
      accounts={accounts.data.data}
      account={webhook.service_account}
      submit={t('save')}
      onSend={async (body) => (await update.mutateAsync({ params: { id }, body })).data}
      reread={async () => versionOf((await call(webhooks.get, { params: { id } })).data)}
      goOn={versionOf}
      onSaved={() => toast({ text: t('saved') })}
    />
  );
}
