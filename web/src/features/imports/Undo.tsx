import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useImportKind, type ImportKind, type Undoable } from './kinds.ts';
import { Reasons } from './Reasons.tsx';

/** Undoes a finished import as far as its rows allow, or shows why it cannot. */
export function Undo({ found, api }: { found: Import; api: NonNullable<ImportKind['undo']> }) {
  const t = useTranslations('imports');
  const [open, dialog] = useDisclosure(false);
  const undo = useSend(api);
  const close = closing(dialog.close, undo);
  const confirm = () => undo.mutate({ params: { id: found.id } }, { onSuccess: close });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('undo')}
      </Button>
      <Dialog opened={open} onClose={close} title={t('undoTitle')}>
        <UndoQuestion
          created={found.counts.created}
          error={undo.error}
          isPending={undo.isPending}
          onClose={close}
          onConfirm={confirm}
        />
      </Dialog>
    </>
  );
}

type QuestionProps = {
  created: number;
  error: ApiError | null;
  isPending: boolean;
  onClose: () => void;
  onConfirm: () => void;
};

function UndoQuestion({ created, error, isPending, onClose, onConfirm }: QuestionProps) {
  const t = useTranslations('imports');
  const { type } = useImportKind();
  const reasons = error?.refusal.errors?.['rows'] ?? [];
  const isRefused = reasons.length > 0;
  return (
    <>
      {isRefused ? (
        <div role="alert">
          <p>{t('undoRefused')}</p>
          <Reasons texts={reasons} />
        </div>
      ) : (
        <>
          <p>{t(`${type as Undoable}.undoText`, { count: created })}</p>
          <ErrorNotice error={error} />
        </>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t(isRefused ? 'close' : 'keepImport')}
        </Button>
        {!isRefused && (
          <Button color="red.8" loading={isPending} onClick={onConfirm}>
            {t('undo')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
