import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';

/** A link to all webhooks. */
export const Back = () => {
  const t = useTranslations('webhooks');
  return (
    <Button component={Link} to={paths.webhooks} variant="subtle">
      {t('all')}
    </Button>
  );
};
