import { Button, Group, Stack } from '@mantine/core';
import { ownTokens, type KeptToken } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Revoke } from './Revoke.tsx';

type Props = { tokens: readonly KeptToken[]; onRevoked: (id: number) => void };

/** The tokens that stay valid after a password change, each with a button to revoke it. */
export function KeptTokens({ tokens, onRevoked }: Props) {
  const t = useTranslations('accessTokens');
  const { can } = useSession();
  const revoke = useSend(ownTokens.delete);
  const [asked, setAsked] = useState<KeptToken>();
  const title = t('kept', { count: tokens.length });
  return (
    <Notice kind="warning">
      <p style={{ fontWeight: 550 }}>{title}</p>
      <Stack gap={8} mt={6} aria-label={title} renderRoot={(props) => <ul {...props} />}>
        {tokens.map((token) => (
          <Group key={token.id} justify="space-between" gap="4px 12px" renderRoot={(props) => <li {...props} />}>
            <span style={{ overflowWrap: 'anywhere' }}>
              <bdi style={{ fontWeight: 550 }}>{token.name}</bdi> <code>{token.hint}</code>
              {' · '}
              {t('ends')} <Moment value={token.expires_at} />
            </span>
            {can('tokens.create') && (
              <Button variant="default" size="compact-sm" onClick={() => setAsked(token)}>
                {t('revoke')}
                <span className="visually-hidden"> {token.name}</span>
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {!can('tokens.create') && <p>{t('keptAsk')}</p>}
      <Revoke
        token={asked}
        onRevoke={async (id) => {
          await revoke.mutateAsync({ params: { id } });
          onRevoked(id);
        }}
        onClose={() => setAsked(undefined)}
      />
    </Notice>
  );
}
