import { Box, Button, Group, Stack } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { ownTokens, tokenDays, type ApiToken } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { MakeToken } from './MakeToken.tsx';
import { Revoke } from './Revoke.tsx';

const line = '1px solid var(--line)';
const days = { choices: [7, 30, 90, 180, 366], usual: tokenDays.personal };

/** The user's active tokens, and a button to create another one. */
export function OwnTokens() {
  const t = useTranslations('accessTokens');
  const { permissions } = useSession();
  const query = useQuery(load(ownTokens.list, { query: { state: 'active', per_page: 100 } }));
  const create = useSend(ownTokens.create);
  const revoke = useSend(ownTokens.delete);
  const [asked, setAsked] = useState<ApiToken>();
  const send = { ...create, mutate: (body: object, options: object) => create.mutate({ body } as never, options) };
  if (query.isPending) return <LoadingLines lines={3} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const tokens = query.data.data;
  return (
    <>
      {tokens.length === 0 && <p className="muted">{t('own.none')}</p>}
      {tokens.length > 0 && (
        <Box component="ul" aria-label={t('own.title')} style={{ borderBlockStart: line }}>
          {tokens.map((token) => (
            <OwnToken key={token.id} token={token} onRevoke={() => setAsked(token)} />
          ))}
        </Box>
      )}
      <div>
        <MakeToken offered={permissions} days={days} send={send} />
      </div>
      <Revoke
        token={asked}
        onRevoke={(id) => revoke.mutateAsync({ params: { id } })}
        onClose={() => setAsked(undefined)}
      />
    </>
  );
}

function OwnToken({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const t = useTranslations('accessTokens');
  const { name, hint, expires_at: ends, last_used_at: last } = token;
  return (
    <Group
      gap={14}
      px={4}
      py={12}
      wrap="nowrap"
      style={{ borderBlockEnd: line }}
      renderRoot={(props) => <li {...props} />}
    >
      <IconApi className="muted" size={22} stroke={1.5} style={{ flex: 'none' }} aria-hidden />
      <Stack flex={1} gap={2} miw={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        <bdi style={{ fontWeight: 550 }}>{name}</bdi>
        <span className="muted">
          <code>{hint}</code>
          {' · '}
          {t('ends')} <Moment value={ends} />
          {' · '}
          {t('used')}: {last === null ? t('never') : <Moment value={last} />}
        </span>
      </Stack>
      <Button variant="default" size="compact-sm" onClick={onRevoke}>
        {t('revoke')}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </Group>
  );
}
