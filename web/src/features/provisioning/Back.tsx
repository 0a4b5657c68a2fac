import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';

/** A link to all connections. */
export const Back = () => {
  const t = useTranslations('provisioning');
  return (
    <Button component={Link} to={paths.provisioning} variant="subtle">
      {t('all')}
    </Button>
  );
};
