import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';

/** A link to all providers. */
export const Back = () => {
  const t = useTranslations('identityProviders');
  return (
    <Button component={Link} to={paths.signInSettings} variant="subtle">
      {t('all')}
    </Button>
  );
};
