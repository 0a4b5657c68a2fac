import { Button } from '@mantine/core';
import type { Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import classes from './imports.module.css';
import { useImportKind } from './kinds.ts';

type Props = { found: Import; opened: boolean; busy: boolean; onClose: () => void; onConfirm: () => void };

/** Shows the consequences of the import and commits it. */
export function ConfirmImport({ found: { counts }, opened, busy, onClose, onConfirm }: Props) {
  const t = useTranslations('imports');
  const kind = useImportKind();
  const own = useTranslations(`imports.${kind.type}`);
  const happens = (['created', 'updated', 'skipped', 'failed'] as const).filter((name) => counts[name] > 0);
  return (
    <Dialog opened={opened} onClose={onClose} title={own('confirmTitle', { count: counts.created + counts.updated })}>
      <ul className={classes['happens']}>
        {happens.map((name) => (
          <li key={name} data-kind={name}>
            {name === 'created' || name === 'updated'
              ? own(`happens.${name}`, { count: counts[name] })
              : t(`happens.${name}`, { count: counts[name] })}
          </li>
        ))}
        {counts.created > 0 && <li>{own('happens.then')}</li>}
        {kind.undo && <li>{t('happens.undo')}</li>}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('notYet')}
        </Button>
        <Button data-autofocus loading={busy} onClick={onConfirm}>
          {t('confirm')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
