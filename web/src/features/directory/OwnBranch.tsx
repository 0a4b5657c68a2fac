import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../paths.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Branch } from './Branch.tsx';

/** The org chart of a user who may not see records of others: their own managers, colleagues and reports. */
export function OwnBranch({ id }: { id: number }) {
  const t = useTranslations('directory');
  const header = (
    <PageHeader title={t('ownTitle')}>
      <Button component={Link} to={paths.directory} variant="default">
        {t('wholeDirectory')}
      </Button>
    </PageHeader>
  );
  return <Branch id={id} header={() => header} />;
}
