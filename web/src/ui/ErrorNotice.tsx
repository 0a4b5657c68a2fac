import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { useSecondsUntil } from './use-seconds-until.ts';

type Props = {
  error: ApiError | null | undefined;
  /** Fields that show their own messages; all other messages are shown here. */
  fields?: readonly string[];
};

const danger = { color: 'var(--danger)' };

/** The error of a change, above its form or button. */
export function ErrorNotice({ error, fields = [] }: Props) {
  const t = useTranslations('errors');
  if (!error) return null;
  const elsewhere = Object.entries(error.fieldErrors).filter(([field]) => !fields.includes(field));
  if ([403, 422].includes(error.status) && elsewhere.length === 0 && error.refusal.errors) return null;
  const known: Record<number, string> = {
    0: t('unreachable.title'),
    403: t('forbidden.title'),
    404: t('notFound.body'),
    413: t('tooLarge'),
    500: t('failed.body'),
    502: t('unavailable.notice'),
    503: t('unavailable.notice'),
    504: t('unavailable.notice'),
  };
  const general = error.refusal.explained ? undefined : known[error.status];
  const texts = elsewhere.length > 0 ? elsewhere.map(([, text]) => text) : [general ?? error.message];
  return (
    <Alert
      color="red"
      bg="var(--danger-bg)"
      styles={{ icon: danger, message: danger }}
      icon={<IconAlertTriangle size={18} />}
      role="alert"
    >
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {error.status === 429 && <Wait key={error.retryAt} until={error.retryAt} />}
    </Alert>
  );
}

function Wait({ until }: { until: number }) {
  const t = useTranslations('errors.tooMany');
  return <p aria-live="off">{t('notice', { seconds: useSecondsUntil(until) })}</p>;
}
