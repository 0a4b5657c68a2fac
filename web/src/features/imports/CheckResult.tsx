import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { employeeImports, type Import } from '@tenure/contract';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Counts } from './Counts.tsx';
import classes from './imports.module.css';
import { RowGrid } from './RowGrid.tsx';

const route = getRouteApi('/shell/imports/$id');

/** What the check found: the figures, the rows with their errors to mend, and the button that writes. */
export function CheckResult({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const { id, counts, plan_hash } = found;
  const navigate = route.useNavigate();
  const commit = useSend(employeeImports.commit);
  const may = (action: string) => found.allowed_actions.includes(action);
  const writable = counts.created + counts.updated;
  const blocked = found.mode === 'atomic' && counts.failed > 0;
  return (
    <>
      <PageHeader title={t('checkTitle')} lead={<bdi>{found.file_name}</bdi>}>
        {may('delete') && <Discard id={id} />}
        {may('update') && (
          <Button variant="default" onClick={() => void navigate({ search: { columns: true } })}>
            {t('changeColumns')}
          </Button>
        )}
        {may('commit') && (
          <Button
            loading={commit.isPending || commit.isSuccess}
            disabled={writable === 0 || blocked}
            onClick={() => commit.mutate({ params: { id }, body: { plan_hash } })}
          >
            {t('commit', { count: writable })}
          </Button>
        )}
      </PageHeader>
      <div className={classes['summary']}>
        <ErrorNotice error={commit.error} />
        <Counts counts={counts} />
        {counts.failed > 0 && (
          <p>
            {t(blocked ? 'atomicBlocked' : 'failedStay', { count: counts.failed })}{' '}
            <a href={address(employeeImports.errors, { params: { id } })} download>
              <IconDownload size={14} aria-hidden /> {t('errorFile')}
            </a>
          </p>
        )}
      </div>
      <RowGrid found={found} editable={may('update')} />
    </>
  );
}

function Discard({ id }: { id: number }) {
  const t = useTranslations('imports');
  const navigate = useNavigate();
  const discard = useSend(employeeImports.delete);
  return (
    <Button
      variant="subtle"
      color="gray"
      loading={discard.isPending}
      onClick={() => discard.mutate({ params: { id } }, { onSuccess: () => void navigate({ to: paths.imports }) })}
    >
      {t('discard')}
    </Button>
  );
}
