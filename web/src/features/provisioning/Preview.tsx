import { Stack } from '@mantine/core';
import { scimConnections, type ScimRequest } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { BulletList } from '../../ui/BulletList.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';

/** The most names that a dialog shows. */
const most = 8;

/** People whose sign-in the latest request of the dry run would have switched off. */
function blockedBy(requests: readonly ScimRequest[]): string[] {
  const latest = new Map<string, boolean>();
  for (const { is_dry_run, person, effect } of requests)
    if (is_dry_run && person !== null && !latest.has(person)) latest.set(person, effect === 'sign_in_blocked');
  return [...latest].filter(([, isBlocked]) => isBlocked).map(([person]) => person);
}

/** What the requests of the dry run would have changed, from the log of the last 30 days. */
export function Preview({ id }: { id: number }) {
  const t = useTranslations('provisioning.preview');
  const params = { id };
  const any = useQuery(load(scimConnections.requests, { params, query: { per_page: 1 } }));
  const refused = useQuery(load(scimConnections.requests, { params, query: { per_page: 1, refused: 1 } }));
  const switches = useQuery(load(scimConnections.requests, { params, query: { per_page: 100, search: 'sign_in_' } }));
  const error = any.error ?? refused.error ?? switches.error;
  if (error) return <ErrorNotice error={error} />;
  if (!any.data || !refused.data || !switches.data)
    return (
      <>
        <output className="visually-hidden">{t('checking')}</output>
        <LoadingLines lines={3} />
      </>
    );
  const people = blockedBy(switches.data.data);
  return (
    <Stack gap={8} renderRoot={(props) => <section aria-label={t('title')} {...props} />}>
      {any.data.meta.total === 0 ? <p>{t('none')}</p> : <Blocked people={people} />}
      {refused.data.meta.total > 0 && <p>{t('refused', { count: refused.data.meta.total })}</p>}
    </Stack>
  );
}

function Blocked({ people }: { people: readonly string[] }) {
  const t = useTranslations('provisioning.preview');
  if (people.length === 0) return <p>{t('noOne')}</p>;
  return (
    <>
      <p>{t('blocked', { count: people.length })}</p>
      <BulletList gap={2}>
        {people.slice(0, most).map((person) => (
          <li key={person}>
            <bdi>{person}</bdi>
          </li>
        ))}
        {people.length > most && <li className="muted">{t('more', { count: people.length - most })}</li>}
      </BulletList>
    </>
  );
}
