import { Button, NativeSelect } from '@mantine/core';
import {
  deliveryStatuses,
  eventTypeNames,
  webhooks,
  type EventType,
  type Webhook,
  type WebhookDelivery,
} from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { CardOf } from '../../ui/CardOf.tsx';
import type { Column } from '../../ui/DataTable.tsx';
import { Moment } from '../../ui/Dates.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { Delivery } from './Delivery.tsx';
import { typesByArea } from './fields.ts';
import { Outcome } from './Outcome.tsx';

const route = getRouteApi('/shell/settings/webhooks');
const everything = 'everything' as const;
type Shown = { status: (typeof deliveryStatuses)[number] | undefined; type: EventType | undefined };

/** The deliveries of a webhook in the last 30 days. */
export function Deliveries({ webhook: { id } }: { webhook: Webhook }) {
  const t = useTranslations('webhooks');
  const { page = 1, status, type } = route.useSearch();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<WebhookDelivery>();
  const query = useQuery({
    ...load(webhooks.deliveries, {
      params: { id },
      query: { page, per_page: 25, ...(status && { status }), ...(type && { type }) },
    }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns(setOpen);
  const show = (next: Shown) =>
    void navigate({
      search: {
        webhook: String(id),
        part: 'deliveries',
        ...(next.status && { status: next.status }),
        ...(next.type && { type: next.type }),
      },
      replace: true,
    });
  return (
    <>
      <Narrow status={status} type={type} onChange={show} />
      <ListView<WebhookDelivery>
        query={query}
        label={t('part.deliveries')}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={(next) => void navigate({ search: (old) => ({ ...old, page: next }) })}
        empty={
          status || type ? (
            <Message title={t('noResult')} />
          ) : (
            <Message title={t('noDelivery')}>{t('noDeliveryText')}</Message>
          )
        }
      />
      <Delivery webhookId={id} delivery={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

/** The filter of the deliveries. */
function Narrow({ status, type, onChange }: Shown & { onChange: (next: Shown) => void }) {
  const t = useTranslations('webhooks');
  return (
    <Filters belowTabs>
      <Pills
        label={t('show')}
        options={([everything, ...deliveryStatuses] as const).map((value) => ({ value, label: t(`status.${value}`) }))}
        value={status ?? everything}
        onChange={(next) => onChange({ type, status: next === everything ? undefined : next })}
      />
      <NativeSelect
        aria-label={t('event')}
        value={type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ status, type: eventTypeNames.find((one) => one === value) })
        }
        data={[
          { value: '', label: t('allTypes') },
          ...typesByArea.map(([area, types]) => ({ group: t(`area.${area}`), items: [...types] })),
        ]}
      />
    </Filters>
  );
}

function useColumns(onOpen: (delivery: WebhookDelivery) => void): Column<WebhookDelivery>[] {
  const t = useTranslations('webhooks');
  const format = useFormatter();
  return [
    {
      id: 'type',
      header: t('event'),
      cell: (row) => (
        // negative margins align the label with the column
        <Button variant="subtle" size="compact-sm" mx={-8} onClick={() => onOpen(row)}>
          <code>{row.type}</code>
          <span className="visually-hidden"> {row.sequence}</span>
        </Button>
      ),
    },
    { id: 'sequence', header: t('sequence'), cell: ({ sequence }) => format.number(sequence) },
    { id: 'timestamp', header: t('timestamp'), cell: ({ timestamp }) => <Moment value={timestamp} /> },
    { id: 'outcome', header: t('state'), cell: (row) => <Outcome tried={row} /> },
    { id: 'attempts', header: t('attempts'), cell: ({ attempts }) => attempts },
    {
      id: 'tried',
      header: t('tried'),
      cell: ({ tried_at: at, ms }) =>
        at === null ? (
          '–'
        ) : (
          <>
            <Moment value={at} /> {ms !== null && <span className="muted small">{t('ms', { ms })}</span>}
          </>
        ),
    },
    {
      id: 'next',
      header: t('next'),
      cell: ({ next_attempt_at: next }) => (next === null ? '–' : <Moment value={next} />),
    },
  ];
}
