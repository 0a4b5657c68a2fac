import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { paths } from '../paths.ts';
import { Message } from './Message.tsx';

/** In place of what needs a company while there is none, or none that the user sees. */
export function NoCompany({ page = false }: { page?: boolean }) {
  const t = useTranslations('noCompany');
  if (!useSession().can('entities.create'))
    return (
      <Message title={t('title')} page={page}>
        {t('noAccess')}
      </Message>
    );
  const create = (
    <Button component={Link} to={paths.firstCompany}>
      {t('create')}
    </Button>
  );
  return (
    <Message title={t('title')} actions={create} page={page}>
      {t('first')}
    </Message>
  );
}
