import { Box, Button, Group, Stack } from '@mantine/core';
import type { AnyToken, ApiToken, allTokens, ownTokens, serviceAccounts } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { breakable } from '../../ui/breakable.tsx';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { Revoke } from './Revoke.tsx';
import { tokenViews, type TokenView } from './search.ts';
import { TokenScope } from './TokenScope.tsx';

type Token = ApiToken & Partial<Pick<AnyToken, 'account'>>;

type Props = {
  endpoint: typeof allTokens.list | typeof ownTokens.list | typeof serviceAccounts.tokens;
  input: object;
  label: string;
  onRevoke: (id: number) => Promise<unknown>;
  empty: ReactNode;
};

const route = getRouteApi('/shell/settings/access-tokens');
/** Tokens that need attention come first; among ended ones, the latest. */
const byAttention = { state: 'active', sort_by: 'attention', sort_direction: 'asc' };
const queryOf = {
  active: byAttention,
  ending: { ...byAttention, attention: 'ending' },
  unused: { ...byAttention, attention: 'unused' },
  ended: { state: 'expired,revoked', sort_by: 'expires_at', sort_direction: 'desc' },
} as const;

/** Tokens in a state, each with its scope and a button to revoke it. */
export function TokenTable({ endpoint, input, label, onRevoke, empty }: Props) {
  const t = useTranslations('accessTokens');
  const { tokens: view = 'active' } = route.useSearch();
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState<Token>();
  const query = useQuery({
    // the three lists differ in who may see them, not in their rows
    ...load(endpoint as typeof allTokens.list, { ...input, query: { page, per_page: 25, ...queryOf[view] } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(setAsked, query.data?.data.some((row) => 'account' in row) ?? false);
  const show = (next: TokenView) => {
    setPage(1);
    void navigate({
      search: ({ tokens: _former, ...rest }) => (next === 'active' ? rest : { ...rest, tokens: next }),
      replace: true,
    });
  };
  return (
    <>
      <Box px="gutter" pb={12} display="flex">
        <Pills<TokenView>
          label={t('show')}
          options={(['active', ...tokenViews] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={show}
        />
      </Box>
      <ListView<Token>
        query={query}
        label={label}
        columns={columns}
        rowKey={({ id }) => id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={setPage}
        empty={view === 'active' ? empty : <Message title={t(`noneOf.${view}`)} />}
      />
      <Revoke token={asked} onRevoke={onRevoke} onClose={() => setAsked(undefined)} />
    </>
  );
}

/** A long name or address wraps, so that the end of a token and its revoke button stay on the screen. */
const inLines = { whiteSpace: 'normal' } as const;

const tones = { active: 'good', expired: 'quiet', revoked: 'quiet' } as const;

function State({ state, attention }: Token) {
  const t = useTranslations('accessTokens');
  if (attention.length === 0) return <StatusBadge tone={tones[state]} label={t(state)} />;
  return (
    <Group gap={4}>
      {attention.map((one) => (
        <StatusBadge key={one} tone="warn" label={t(`attention.${one}`)} />
      ))}
    </Group>
  );
}

function useColumns(onRevoke: (row: Token) => void, withAccount: boolean): Column<Token>[] {
  const t = useTranslations('accessTokens');
  const account: Column<Token> = {
    id: 'account',
    header: t('holder'),
    cell: ({ account: holder, kind }) =>
      holder && (
        <>
          <bdi>{holder.name}</bdi>
          {holder.is_service && (
            <span className="muted"> · {t(kind === 'provisioning' ? 'connection' : 'service')}</span>
          )}
        </>
      ),
  };
  return [
    {
      id: 'name',
      header: t('name'),
      cell: ({ name, hint }) => (
        <Stack gap={0} py={6}>
          <bdi style={inLines}>{name}</bdi>
          <code className="muted small">{hint}</code>
        </Stack>
      ),
    },
    ...(withAccount ? [account] : []),
    { id: 'state', header: t('state'), cell: (row) => <State {...row} /> },
    { id: 'scope', header: t('scope'), cell: (row) => <TokenScope token={row} /> },
    { id: 'used', header: t('used'), cell: (row) => <LastUse {...row} /> },
    { id: 'ends', header: t('ends'), cell: ({ expires_at: ends }) => <Moment value={ends} /> },
    {
      id: 'actions',
      header: t('actions'),
      headerHidden: true,
      cell: (row) =>
        row.allowed_actions.includes('delete') && (
          <Group justify="flex-end">
            <Button variant="default" size="compact-sm" onClick={() => onRevoke(row)}>
              {t('revoke')}
              <span className="visually-hidden"> {row.name}</span>
            </Button>
          </Group>
        ),
    },
  ];
}

function LastUse({ last_used_at: last, last_used_ip: ip }: Token) {
  const t = useTranslations('accessTokens');
  if (last === null) return t('never');
  return (
    <Stack gap={0} py={6}>
      <Moment value={last} />
      {ip !== null && (
        <span className="muted small" style={inLines}>
          {breakable(t('from', { ip }))}
        </span>
      )}
    </Stack>
  );
}
