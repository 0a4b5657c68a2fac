import { Button } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconRefresh } from '@tabler/icons-react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError, hasStatus } from '../api/api-error.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Message } from '../ui/Message.tsx';
import { servedBuild } from './use-new-build.ts';

const nothingToRetry = () => {};

export const NotFoundPage = () => (
  <ErrorState page error={new ApiError(404, { message: '' })} onRetry={nothingToRetry} />
);

export const ForbiddenPage = () => (
  <ErrorState page error={new ApiError(403, { message: '' })} onRetry={nothingToRetry} />
);

/** A lazy module that a newer release has removed from the server. */
const isMissingPart = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message);

/** The error page for errors that no screen handled. */
export function FaultPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { online } = useNetwork();
  const again = () => {
    reset();
    void router.invalidate();
  };
  if (hasStatus(error, 0) || (isMissingPart(error) && !online)) return <AwayPage />;
  if (isMissingPart(error)) return <NewVersionPage />;
  return <ErrorState page error={error} onRetry={again} />;
}

/** A screen that cannot be loaded without the service; it loads once the network is back. */
function AwayPage() {
  useEffect(() => {
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  // a reload without the service would lose the application
  const again = () => void servedBuild().then((build) => build && window.location.reload());
  return <ErrorState page error={new ApiError(0, { message: '' })} onRetry={again} />;
}

function NewVersionPage() {
  const t = useTranslations('errors.newVersion');
  const reload = <Button onClick={() => window.location.reload()}>{t('reload')}</Button>;
  return (
    <Message page icon={IconRefresh} title={t('title')} actions={reload}>
      {t('body')}
    </Message>
  );
}
