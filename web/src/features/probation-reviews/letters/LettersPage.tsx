import { Skeleton, Tabs } from '@mantine/core';
import { letterKinds, letters, type LetterKind } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { TabRow } from '../../../ui/RecordTabs.tsx';
import { LetterEditor } from './LetterEditor.tsx';

const route = getRouteApi('/shell/probation/letters');

/** The templates of the letters about a probation's result. */
export function LettersPage() {
  const t = useTranslations('letters');
  const { kind = 'confirmation' } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={
          <span className={classes['lead']}>
            <Link to={paths.probation}>{t('back')}</Link>
            {t('lead')}
          </span>
        }
      />
      <Tabs
        value={kind}
        onChange={(next) => void navigate({ search: { kind: next as LetterKind } })}
        keepMounted={false}
      >
        <TabRow label={t('title')} names={letterKinds} chosen={kind} nameOf={(one) => t(`kind.${one}`)} />
        {letterKinds.map((one) => (
          <Tabs.Panel key={one} value={one}>
            <OneLetter kind={one} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function OneLetter({ kind }: { kind: LetterKind }) {
  const loading = useTranslations('table')('loading');
  const query = useQuery(load(letters.get, { params: { kind } }));
  if (query.isPending)
    return (
      <div className={classes['skeleton']}>
        <output className="visually-hidden">{loading}</output>
        <Skeleton height={36} />
        <Skeleton height={280} />
      </div>
    );
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <LetterEditor key={kind} letter={query.data.data} />;
}
