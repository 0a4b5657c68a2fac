import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCloudOff,
  IconHourglassLow,
  IconLock,
  IconMapOff,
  IconTool,
  type Icon,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../api/api-error.ts';
import { CopyButton } from './CopyButton.tsx';
import { Message } from './Message.tsx';
import { useSecondsUntil } from './use-seconds-until.ts';
import { BackButtons } from './BackButtons.tsx';

type Props = { error: unknown; onRetry: () => void; page?: boolean };

const kinds: Record<number, 'forbidden' | 'notFound'> = { 403: 'forbidden', 404: 'notFound' };
const icons: Record<'forbidden' | 'notFound', Icon> = { forbidden: IconLock, notFound: IconMapOff };

/** The error of a query, with an action that may help. */
export function ErrorState({ error, onRetry, page = false }: Props) {
  const t = useTranslations('errors');
  const status = error instanceof ApiError ? error.status : undefined;
  if (error instanceof ApiError && (status === 429 || (status !== undefined && status >= 502 && status <= 504)))
    return <RetryCountdown key={error.retryAt} error={error} onEnd={onRetry} page={page} />;
  const retry = (
    <Button variant="default" onClick={onRetry}>
      {t('retry')}
    </Button>
  );
  const kind = status === undefined ? undefined : kinds[status];
  if (kind)
    return (
      <Message page={page} icon={icons[kind]} title={t(`${kind}.title`)} actions={page ? <BackButtons /> : undefined}>
        {t(`${kind}.body`)}
      </Message>
    );
  if (status === 0)
    return (
      <Message page={page} icon={IconCloudOff} title={t('unreachable.title')} actions={retry}>
        {t('unreachable.body')}
      </Message>
    );
  if (error instanceof ApiError && status === 422)
    return (
      <Message page={page} icon={IconAlertTriangle} title={t('refused.title')} actions={retry}>
        {error.message}
      </Message>
    );
  return <Fault error={error} onRetry={onRetry} page={page} />;
}

/** An internal error of the service, with an id to report, or of this page. */
function Fault({ error, onRetry, page }: Required<Props>) {
  const t = useTranslations('errors');
  const id = error instanceof ApiError ? error.refusal.request_id : undefined;
  const actions = (
    <>
      <Button variant="default" onClick={onRetry}>
        {t('retry')}
      </Button>
      {id !== undefined && (
        <CopyButton text={id} variant="subtle" size="md">
          {t('failed.copy')}
        </CopyButton>
      )}
      {page && <BackButtons />}
    </>
  );
  return (
    <Message page={page} icon={IconAlertTriangle} title={t('failed.title')} actions={actions}>
      {id === undefined ? t('failed.body') : t('failed.bodyWithId', { id })}
    </Message>
  );
}

type RetryCountdownProps = { error: ApiError; onEnd: () => void; page: boolean };

/** Counts down to the retry time of the service, then retries. */
function RetryCountdown({ error, onEnd, page }: RetryCountdownProps) {
  const t = useTranslations('errors');
  const seconds = useSecondsUntil(error.retryAt);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    if (seconds === 0) ended();
  }, [seconds]);
  const isBusy = error.status === 429;
  const now = (
    <Button variant="default" onClick={onEnd}>
      {t('retryNow')}
    </Button>
  );
  return (
    <Message
      page={page}
      icon={isBusy ? IconHourglassLow : IconTool}
      title={t(isBusy ? 'tooMany.title' : 'unavailable.title')}
      actions={isBusy ? undefined : now}
    >
      {t(isBusy ? 'tooMany.body' : 'unavailable.body', { seconds })}
    </Message>
  );
}
