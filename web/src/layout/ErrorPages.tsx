import { Button } from '@mantine/core';
import { Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../paths.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Message } from '../ui/Message.tsx';

export function NotFoundPage() {
  const t = useTranslations('errors');
  return (
    <Message
      page
      title={t('notFound.title')}
      actions={
        <Button component={Link} to={paths.home} variant="default">
          {t('home')}
        </Button>
      }
    >
      {t('notFound.body')}
    </Message>
  );
}

/** A part of the application that a newer release has replaced on the server cannot be loaded any more. */
const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message);

/** Whatever a screen could not deal with itself. */
export function FaultPage({ error, reset }: ErrorComponentProps) {
  const t = useTranslations('errors');
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (!isMissingPart(error)) return <ErrorState page error={error} onRetry={again} />;
  const reload = <Button onClick={() => window.location.reload()}>{t('newVersion.reload')}</Button>;
  return (
    <Message page title={t('newVersion.title')} actions={reload}>
      {t('newVersion.body')}
    </Message>
  );
}
