import { Box, Group } from '@mantine/core';
import { identityProviders, type IdentityProvider } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Address } from './Address.tsx';
import { Back } from './Back.tsx';
import { textsOf } from './fields.ts';
import { ProviderForm } from './ProviderForm.tsx';
import { SamlDetails } from './SamlDetails.tsx';
import { State } from './State.tsx';
import { Switches } from './Switches.tsx';
import { Test } from './Test.tsx';
import { Unmatched } from './Unmatched.tsx';
import { Warnings } from './Warnings.tsx';

const GroupsMissing = lazyPart(() => import('./GroupsMissing.tsx'), 'GroupsMissing', 'role-rules');
const ProviderRules = lazyPart(() => import('./ProviderRules.tsx'), 'ProviderRules', 'role-rules', 'add-person');

/** One provider: its state, its return address, its settings, its rules for roles, and the people who tried to sign in. */
export function Provider({ id }: { id: number }) {
  const query = useQuery(load(identityProviders.get, { params: { id } }));
  const { can } = useSession();
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { data: provider } = query.data;
  return (
    <>
      <PageHeader title={provider.name} lead={<Lead provider={provider} />}>
        <Back />
        <Switches provider={provider} />
      </PageHeader>
      <ScrollPane>
        <Warnings provider={provider} />
        {provider.groups_missing_count > 0 && (
          <Suspense fallback={null}>
            <GroupsMissing provider={provider} />
          </Suspense>
        )}
        {provider.kind === 'saml' ? <SamlDetails provider={provider} /> : <OpenIdAddresses provider={provider} />}
        {provider.client_auth === 'private_key_jwt' && <Address name="keysAddress" address={provider.keys_address} />}
        <Test provider={provider} />
        <Settings provider={provider} />
        <Suspense fallback={<LoadingLines lines={3} />}>
          <ProviderRules provider={provider} />
        </Suspense>
        {can('employees.reset_password') && <Unmatched providerId={id} />}
      </ScrollPane>
    </>
  );
}

/** What an OpenID Connect provider needs to know about the service. */
function OpenIdAddresses({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders');
  const { return_address: back, backchannel_address: logout, signed_out_address: signedOut } = provider;
  return (
    <>
      <Address name="returnAddress" address={back} />
      {provider.can_end_session && signedOut !== null && <Address name="signedOutAddress" address={signedOut} />}
      {provider.sends_logout && logout !== null ? (
        <Address name="backchannelAddress" address={logout} />
      ) : (
        <Box px="gutter" pb={20} maw="44rem">
          <p className="muted small">{t('noLogout')}</p>
        </Box>
      )}
    </>
  );
}

function Lead({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders');
  return (
    <Group component="span" gap="2px 12px">
      <State isOn={provider.is_enabled} isFailing={provider.failing !== null} />
      <span>{t('linkedCount', { count: provider.linked_count })}</span>
      <span>
        {t('checked')} <Moment value={provider.checked_at} />
      </span>
    </Group>
  );
}

const versionOf = (provider: IdentityProvider) => ({ texts: textsOf(provider), revision: provider.revision });

function Settings({ provider }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders');
  const toast = useToast();
  const { id } = provider;
  const update = useSend(identityProviders.update);
  return (
    <ProviderForm
      draft={`identity-provider.${id}`}
      start={versionOf(provider)}
      submit={t('save')}
      hasSecret={provider.has_client_secret}
      canEndSession={provider.can_end_session}
      onSend={async (body) => (await update.mutateAsync({ params: { id }, body })).data}
      reread={async () => versionOf((await call(identityProviders.get, { params: { id } })).data)}
      goOn={versionOf}
      onSaved={() => toast({ text: t('saved') })}
    />
  );
}
