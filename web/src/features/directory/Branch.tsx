import { Group, Stack } from '@mantine/core';
import { directory, type DirectoryCard } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { CardGrid, Line } from './Cards.tsx';

type Props = {
  id: number;
  /** The heading of the page, from the person. */
  header: (person: DirectoryCard) => ReactNode;
};

/** A person's part of the organisation: the managers above, the direct reports and the colleagues beside. */
export function Branch({ id, header }: Props) {
  const t = useTranslations('directory');
  const query = useQuery(load(directory.get, { params: { id } }));
  if (query.isPending) return <LoadingLines lines={7} />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { managers, reports, reports_count, colleagues, colleagues_count, ...person } = query.data.data;
  return (
    <>
      {header(person)}
      <Stack gap={28} px="gutter" pt={4} pb={32}>
        <section>
          <SectionTitle mb={10}>{t('line')}</SectionTitle>
          <Line managers={managers} person={person} label={t('line')} />
        </section>
        <People title={t('reports')} cards={reports} count={reports_count} manager={id} />
        <People title={t('colleagues')} cards={colleagues} count={colleagues_count} manager={person.manager?.id} />
      </Stack>
    </>
  );
}

type PeopleProps = { title: string; cards: DirectoryCard[]; count: number; manager: number | undefined };

/** Some people with the same manager; all of them are in the directory. */
function People({ title, cards, count, manager }: PeopleProps) {
  const t = useTranslations('directory');
  if (cards.length === 0) return null;
  return (
    <section>
      <Group gap={8} mb={10} justify="space-between">
        <SectionTitle>{t('titleCount', { title, count })}</SectionTitle>
        {count > cards.length && manager !== undefined && (
          <Link to={paths.directory} search={{ manager_id: manager }}>
            {t('viewAll', { count })}
          </Link>
        )}
      </Group>
      <CardGrid cards={cards} label={title} />
    </section>
  );
}
