import { Group, Stack } from '@mantine/core';
import type { HomeNews } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Block } from '../../figures/Figures.tsx';
import { paths } from '../../paths.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import own from './OwnCard.module.css';

type News = Omit<HomeNews, 'announcements'>;
type Person = News['started']['people'][number] & { years?: number };

const kinds = ['starting', 'started', 'anniversaries', 'birthdays'] as const;

export const hasColleagues = (news: News) => kinds.some((kind) => news[kind].total > 0);

/** Colleagues who join, who have a work anniversary, and who have a birthday. */
export function ColleaguesBlock({ news }: { news: News }) {
  const t = useTranslations('home.colleagues');
  return (
    <Block title={t('title')}>
      <AutoGrid min="15rem" gap="18px 32px" fit>
        {kinds
          .filter((kind) => news[kind].total > 0)
          .map((kind) => (
            <People key={kind} kind={kind} people={news[kind].people} total={news[kind].total} />
          ))}
      </AutoGrid>
    </Block>
  );
}

type PeopleProps = { kind: (typeof kinds)[number]; people: readonly Person[]; total: number };

function People({ kind, people, total }: PeopleProps) {
  const t = useTranslations('home.colleagues');
  const more = total - people.length;
  return (
    <section>
      <h3 className={own['title']}>{t(kind)}</h3>
      <Stack component="ul" gap={10} mt={6} aria-label={t(kind)}>
        {people.map((person) => (
          <Row key={person.id} person={person} to={kind === 'starting' ? paths.employee : paths.colleague} />
        ))}
      </Stack>
      {more > 0 && <p className="muted small">{t('more', { count: more })}</p>}
    </section>
  );
}

type RowProps = { person: Person; to: typeof paths.employee | typeof paths.colleague };

function Row({ person: { id, name, job_title, department, profile_picture_url: url, day, years }, to }: RowProps) {
  const t = useTranslations('home.colleagues');
  return (
    <Group component="li" gap={12} wrap="nowrap">
      <PersonAvatar id={id} name={name} url={url} size={36} />
      <Stack gap={0} miw={0} fz="sm" lh={1.4}>
        <Link to={to} params={{ id: String(id) }}>
          <bdi>{name}</bdi>
        </Link>
        <span className="muted">{[job_title, department.name].filter(Boolean).join(' · ')}</span>
        <span>
          <ShortDay value={day} />
          {years !== undefined && <> · {t('years', { count: years })}</>}
        </span>
      </Stack>
    </Group>
  );
}

/** A day of the coming weeks, without its year. */
function ShortDay({ value }: { value: string }): ReactNode {
  const format = useFormatter();
  return (
    <time className="numbers" dateTime={value}>
      {format.dateTime(new Date(`${value}T00:00:00Z`), {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      })}
    </time>
  );
}
