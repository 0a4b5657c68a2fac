import { Button, Group, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { ownIdentities, type Reply } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { goToProvider } from '../../ui/sso-start.ts';
import { useToast } from '../../ui/toasts.tsx';
import { wrapping } from '../../ui/wrapping.ts';
import { Block } from './Block.tsx';

const line = '1px solid var(--line)';

type Own = Reply<typeof ownIdentities.list>['data'];

/** The providers linked to the user's account, and those that can be linked; renders nothing if there are none. */
export function LinkedSignIns() {
  const t = useTranslations('linkedSignIns');
  const query = useQuery(load(ownIdentities.list, {}));
  if (query.isPending) return null;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { identities, providers } = query.data.data;
  if (identities.length + providers.length === 0) return null;
  return (
    <Block title={t('title')} lead={t('lead')}>
      {identities.length > 0 && (
        <ul aria-label={t('title')} style={{ borderBlockStart: line }}>
          {identities.map((identity) => (
            <OneLink key={identity.id} identity={identity} />
          ))}
        </ul>
      )}
      <Others providers={providers} />
    </Block>
  );
}

function OneLink({
  identity: { id, provider, email, linked_at, last_used_at },
}: {
  identity: Own['identities'][number];
}) {
  const t = useTranslations('linkedSignIns');
  const toast = useToast();
  const unlink = useSend(ownIdentities.delete);
  const { name } = provider;
  return (
    <Group
      gap={14}
      px={4}
      py={12}
      style={{ borderBlockEnd: line }}
      wrap="nowrap"
      renderRoot={(props) => <li {...props} />}
    >
      <IconKey className="muted" size={22} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
      <Stack flex={1} gap={2} miw={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi style={{ fontWeight: 550 }}>{name}</bdi>
        <span className="muted">
          {email && (
            <>
              <bdi>{email}</bdi>
              {' · '}
            </>
          )}
          {t('since')} <Moment value={linked_at} />
          {last_used_at && (
            <>
              {' · '}
              {t('used')} <Moment value={last_used_at} />
            </>
          )}
        </span>
        <ErrorNotice error={unlink.error} />
      </Stack>
      <Button
        variant="default"
        size="compact-sm"
        loading={unlink.isPending}
        onClick={() => unlink.mutate({ params: { id } }, { onSuccess: () => toast({ text: t('unlinked', { name }) }) })}
      >
        {t('unlink')}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </Group>
  );
}

/** A button for each provider without a link; it leads to the provider and back. */
function Others({ providers }: { providers: Own['providers'] }) {
  const t = useTranslations('linkedSignIns');
  const start = useSend(ownIdentities.start);
  if (providers.length === 0) return null;
  return (
    <>
      <ErrorNotice error={start.error} />
      <Group gap={8}>
        {providers.map(({ id, name }) => (
          <Button
            key={id}
            variant="default"
            styles={wrapping}
            loading={start.isPending && start.variables.params.id === id}
            onClick={() =>
              start.mutate({ params: { id } }, { onSuccess: ({ data }) => goToProvider(data.url, { links: true }) })
            }
          >
            {t('link', { provider: name })}
          </Button>
        ))}
      </Group>
    </>
  );
}
