import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import type { DirectoryCard } from '@tenure/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId, paths } from '../../paths.ts';
import { mailTo } from '../../ui/mail-to.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Branch } from './Branch.tsx';

const route = getRouteApi('/shell/directory/$id');

/** The card of a colleague and the people around. */
export function ColleaguePage() {
  const { id } = route.useParams();
  return isId(id) ? <Branch id={Number(id)} header={(person) => <Header person={person} />} /> : <NotFoundPage />;
}

function Header({ person }: { person: DirectoryCard }) {
  const t = useTranslations('directory');
  const back = (
    <Link to={paths.directory} className="small">
      {t('back')}
    </Link>
  );
  return (
    <PageHeader title={person.name} lead={back}>
      {person.email !== null && (
        <Button component="a" href={mailTo(person.email)} leftSection={<IconMail size={16} aria-hidden />}>
          {t('write')}
        </Button>
      )}
    </PageHeader>
  );
}
