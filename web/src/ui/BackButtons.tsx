import { Button } from '@mantine/core';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../paths.ts';

/** The buttons of a page without content: back and home. */
export function BackButtons() {
  const t = useTranslations('errors');
  const router = useRouter();
  const canGoBack = useCanGoBack();
  return (
    <>
      {canGoBack && (
        <Button variant="default" onClick={() => router.history.back()}>
          {t('back')}
        </Button>
      )}
      <Button component={Link} to={paths.home} variant={canGoBack ? 'subtle' : 'default'}>
        {t('home')}
      </Button>
    </>
  );
}
