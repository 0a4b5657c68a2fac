import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../api/api-error.ts';
import { Message } from './Message.tsx';
import { useSecondsUntil } from './use-seconds-until.ts';

type Props = { error: unknown; onRetry: () => void; page?: boolean };

const kinds: Record<number, 'unreachable' | 'forbidden' | 'notFound'> = {
  0: 'unreachable',
  403: 'forbidden',
  404: 'notFound',
};

/** Says honestly why something cannot be shown, and offers what may help. */
export function ErrorState({ error, onRetry, page = false }: Props) {
  const t = useTranslations('errors');
  const retry = (
    <Button variant="default" onClick={onRetry}>
      {t('retry')}
    </Button>
  );
  if (error instanceof ApiError && error.status === 429)
    return <TooMany key={error.retryAt} until={error.retryAt} onEnd={onRetry} page={page} />;
  if (error instanceof ApiError && error.status === 422)
    return (
      <Message page={page} title={t('refused.title')} actions={retry}>
        {error.message}
      </Message>
    );
  const kind = error instanceof ApiError ? kinds[error.status] : undefined;
  if (kind !== undefined)
    return (
      <Message page={page} title={t(`${kind}.title`)} actions={kind === 'unreachable' ? retry : undefined}>
        {t(`${kind}.body`)}
      </Message>
    );
  const id = error instanceof ApiError ? error.refusal.request_id : undefined;
  return (
    <Message page={page} title={t('failed.title')} actions={retry}>
      {id === undefined ? t('failed.body') : t('failed.bodyWithId', { id })}
    </Message>
  );
}

function TooMany({ until, onEnd, page }: { until: number; onEnd: () => void; page: boolean }) {
  const t = useTranslations('errors');
  const seconds = useSecondsUntil(until);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    if (seconds === 0) ended();
  }, [seconds]);
  return (
    <Message page={page} title={t('tooMany.title')}>
      {t('tooMany.body', { seconds })}
    </Message>
  );
}
