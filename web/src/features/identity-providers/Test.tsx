import { Box, Button, Group, Stack } from '@mantine/core';
import { identityProviders, type IdentityProvider, type ProviderTest } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { goToProvider } from '../../ui/sso-start.ts';

/** Tests a provider, and shows its claims with their meaning here. */
export function Test({ provider: { id, tested_at } }: { provider: IdentityProvider }) {
  const t = useTranslations('identityProviders.test');
  const result = useQuery({ ...load(identityProviders.testResult, { params: { id } }), enabled: tested_at !== null });
  const start = useSend(identityProviders.test);
  const next = `${paths.signInSettings}?provider=${id}`;
  const begin = () =>
    start.mutate({ params: { id } }, { onSuccess: ({ data }) => goToProvider(data.url, { tests: true, next }) });
  const shown = tested_at === null ? undefined : result.data?.data;
  return (
    <Stack gap={10} px="gutter" pb={24} maw="60rem" renderRoot={(props) => <section {...props} />}>
      <SectionTitle>{t('title')}</SectionTitle>
      <p className="muted" style={{ maxWidth: '46rem' }}>
        {t('lead')}
      </p>
      <ErrorNotice error={start.error} />
      <Group gap="6px 14px">
        <Button variant="default" loading={start.isPending} onClick={begin}>
          {t('start')}
        </Button>
        <span className="muted">
          {tested_at === null ? (
            t('never')
          ) : (
            <>
              {t('last')} <Moment value={tested_at} />
            </>
          )}
        </span>
      </Group>
      {shown && <Result result={shown} />}
    </Stack>
  );
}

function Result({ result: { claims, subject, address, factors, found, confirms } }: { result: ProviderTest }) {
  const t = useTranslations('identityProviders.test');
  return (
    <AutoGrid min="20rem" gap="16px 40px">
      <Values title={t('came')} rows={claims.map(({ name, value }) => [<code key={name}>{name}</code>, value])} />
      <Values
        title={t('is')}
        rows={[
          [t('found'), found ? `${found.name} (${t(`by.${found.by}`)})` : t('noOne')],
          [t('subject'), subject],
          [t('address'), address ?? t('noAddress')],
          [t('factors'), t('factorCount', { count: factors })],
          ...(confirms === null ? [] : [[t('confirms'), t(confirms ? 'confirmsYes' : 'confirmsNo')] as const]),
        ]}
      />
    </AutoGrid>
  );
}

const row = { display: 'grid', gridTemplateColumns: 'minmax(7rem, 2fr) minmax(0, 3fr)', gap: 12 } as const;

const Values = ({ title, rows }: { title: string; rows: readonly (readonly [ReactNode, ReactNode])[] }) => (
  <div>
    <Box component="h3" fz="sm" fw={600} mb={4}>
      {title}
    </Box>
    <dl>
      {rows.map(([name, value], index) => (
        <Box key={index} py={5} fz="sm" style={{ ...row, borderBlockStart: '1px solid var(--line)' }}>
          <dt className="muted" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </dt>
          <dd style={{ overflowWrap: 'anywhere' }}>
            <bdi>{value}</bdi>
          </dd>
        </Box>
      ))}
    </dl>
  </div>
);
