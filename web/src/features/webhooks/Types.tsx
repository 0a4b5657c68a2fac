import { Stack } from '@mantine/core';
import { webhooks, type Webhook } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { Json } from './Delivery.tsx';

/** The event types, each with the required permission and an example. */
export function Types({ types }: Pick<Webhook, 'types'>) {
  const t = useTranslations('webhooks');
  const query = useQuery({ ...load(webhooks.types, {}), staleTime: Infinity });
  if (query.isPending) return <LoadingLines lines={7} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <ScrollPane>
      <Stack gap={4} px="gutter" py={20} maw="52rem">
        <p className="muted">{t('typesLead')}</p>
        {query.data.data.map(({ type, permission, example }) => (
          <Example key={type} type={type} value={example}>
            {types === null || types.includes(type) ? t('isSent', { permission }) : t('isNotSent', { permission })}
          </Example>
        ))}
      </Stack>
    </ScrollPane>
  );
}

type ExampleProps = { type: string; value: unknown; children: string };

/** An event type that expands to an example. */
function Example({ type, value, children }: ExampleProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{type}</code> <span className="muted small">{children}</span>
      </summary>
      {isOpen && <Json value={value} />}
    </details>
  );
}
