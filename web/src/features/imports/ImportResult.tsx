import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { employeeImports, type Import } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { address } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Moment } from '../../ui/Dates.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Counts } from './Counts.tsx';
import classes from './imports.module.css';
import { RowGrid } from './RowGrid.tsx';

/** What an import did, the way to the people, and the way back. */
export function ImportResult({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const undone = found.status === 'undone';
  return (
    <>
      <PageHeader title={t(undone ? 'undoneTitle' : 'completedTitle')} lead={<bdi>{found.file_name}</bdi>}>
        {found.allowed_actions.includes('undo') && <Undo found={found} />}
        <Button component={Link} to={paths.newImport} variant="default">
          {t('another')}
        </Button>
        {!undone && (
          <Button component={Link} to={paths.employees}>
            {t('seePeople')}
          </Button>
        )}
      </PageHeader>
      <div className={classes['summary']}>
        <Counts counts={found.counts} done />
        {found.counts.failed > 0 && !undone && (
          <p>
            {t('notWritten', { count: found.counts.failed })}{' '}
            <a href={address(employeeImports.errors, { params: { id: found.id } })} download>
              {t('errorFile')}
            </a>
          </p>
        )}
        {undone && found.undone_at && (
          <p className="muted">
            {t('undoneBy', { name: found.undone_by?.name ?? '' })} <Moment value={found.undone_at} />
          </p>
        )}
      </div>
      <RowGrid found={found} />
    </>
  );
}

function Undo({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const [open, dialog] = useDisclosure(false);
  const undo = useSend(employeeImports.undo);
  const confirm = () => undo.mutate({ params: { id: found.id } }, { onSuccess: dialog.close });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('undo')}
      </Button>
      <Dialog opened={open} onClose={dialog.close} title={t('undoTitle')}>
        <p>{t('undoText', { count: found.counts.created })}</p>
        <ErrorNotice error={undo.error} />
        <DialogActions>
          <Button variant="default" onClick={dialog.close}>
            {t('keep')}
          </Button>
          <Button color="red.8" loading={undo.isPending || undo.isSuccess} onClick={confirm}>
            {t('undo')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
