import { Stack } from '@mantine/core';
import { scimConnections, type ScimRequest } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';

const route = getRouteApi('/shell/settings/provisioning');

/** The requests of the identity provider and their results. */
export function Requests({ id }: { id: number }) {
  const t = useTranslations('provisioning.requests');
  const { page = 1, search, refused } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery({
    ...load(scimConnections.requests, {
      params: { id },
      query: { page, per_page: 25, search, ...(refused && { refused: 1 }) },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const filter = (text: string | undefined, isRefused: boolean) =>
    void navigate({
      search: {
        connection: String(id),
        part: 'requests',
        ...(text && { search: text }),
        ...(isRefused && { refused: true }),
      },
      replace: true,
    });
  const isFiltered = search !== undefined || refused !== undefined;
  return (
    <>
      <Filters belowTabs>
        <SearchField label={t('search')} value={search} onChange={(text) => filter(text, refused ?? false)} />
        <Pills
          label={t('show')}
          options={[
            { value: 'everything', label: t('everything') },
            { value: 'refused', label: t('refused') },
          ]}
          value={refused ? 'refused' : 'everything'}
          onChange={(next) => filter(search, next === 'refused')}
        />
      </Filters>
      <p className="muted small" style={{ paddingInline: 'var(--gutter)', paddingBlockEnd: 8 }}>
        {t('lead')}
      </p>
      <ListView<ScimRequest>
        query={query}
        label={t('title')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
        empty={isFiltered ? <Message title={t('noResult')} /> : <Message title={t('none')}>{t('noneText')}</Message>}
      />
    </>
  );
}

function useColumns(): Column<ScimRequest>[] {
  const t = useTranslations('provisioning.requests');
  return [
    { id: 'at', header: t('at'), cell: ({ at }) => <Moment value={at} /> },
    {
      id: 'request',
      header: t('request'),
      cell: ({ method, resource }) => (
        <code>
          {method} {resource}
        </code>
      ),
    },
    { id: 'outcome', header: t('outcome'), cell: (row) => <Outcome request={row} /> },
    { id: 'person', header: t('person'), cell: ({ person }) => <bdi>{person ?? '–'}</bdi> },
    { id: 'changed', header: t('changed'), cell: (row) => <Attributes request={row} /> },
  ];
}

const tones: Partial<Record<NonNullable<ScimRequest['effect']>, Tone>> = {
  adopted: 'good',
  staged: 'warn',
  sign_in_blocked: 'warn',
  sign_in_allowed: 'good',
};

/** The result of a request; the reason of a refusal is in English, as the identity provider gets it. */
function Outcome({ request: { status, effect, detail, is_dry_run } }: { request: ScimRequest }) {
  const t = useTranslations('provisioning.requests');
  const failed = status >= 400;
  return (
    <Stack gap={2} align="flex-start" maw="24rem" style={{ whiteSpace: 'normal' }}>
      <span>
        <StatusBadge
          tone={failed ? 'danger' : ((effect && tones[effect]) ?? 'quiet')}
          label={failed ? t('failed', { status }) : t(effect ? `effect.${effect}` : 'ok')}
        />
        {is_dry_run && <span className="muted small"> {t('dryRun')}</span>}
      </span>
      {detail !== null && (
        <span className="muted small" lang="en" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </span>
      )}
    </Stack>
  );
}

function Attributes({ request: { changed, ignored } }: { request: ScimRequest }) {
  const t = useTranslations('provisioning.requests');
  if (changed.length + ignored.length === 0) return '–';
  return (
    <Stack gap={2} maw="24rem" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
      {changed.length > 0 && <span>{changed.join(', ')}</span>}
      {ignored.length > 0 && <span className="muted small">{t('ignored', { list: ignored.join(', ') })}</span>}
    </Stack>
  );
}
