import { Button } from '@mantine/core';
import { roles, type RoleRow } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useRoleName } from '../../ui/role-name.ts';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { HoldersLink } from './columns.tsx';
import { RoleForm } from './RoleForm.tsx';
import type { RoleDialog } from './search.ts';

const ViewAsRole = lazyPart(() => import('./ViewAsRole.tsx'), 'ViewAsRole', 'role-view');

type Props = {
  dialog: RoleDialog | undefined;
  /** Absent for a new role. */
  role: RoleRow | undefined;
  onClose: () => void;
  onDeleted?: () => void;
};

/** The dialogs that add, change or delete a role. */
export function RoleDialogs({ dialog, role, onClose, onDeleted }: Props) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const shown = useLastShown(dialog ? { dialog, role } : undefined);
  if (!shown) return null;
  return (
    <Dialog
      opened={dialog !== undefined}
      onClose={onClose}
      title={t(`dialog.${shown.dialog}`, { name: shown.role ? roleName(shown.role.name) : '' })}
    >
      <Content {...shown} onClose={onClose} onDeleted={onDeleted} />
    </Dialog>
  );
}

type ContentProps = {
  dialog: RoleDialog;
  role: RoleRow | undefined;
  onClose: () => void;
  onDeleted: (() => void) | undefined;
};

function Content({ dialog, role, onClose, onDeleted }: ContentProps) {
  const t = useTranslations('roles');
  const roleName = useRoleName();
  const toast = useToast();
  const navigate = useNavigate();
  const done = (text: string) => {
    onClose();
    toast({ text });
  };
  if (dialog === 'delete')
    return (
      role && (
        <DeleteForm
          role={role}
          onClose={onClose}
          onDone={() => {
            toast({ text: t('deleted', { name: roleName(role.name) }) });
            // the page is left, and its dialog with it
            (onDeleted ?? onClose)();
          }}
        />
      )
    );
  if (dialog === 'view')
    return (
      role && (
        <Suspense>
          <ViewAsRole role={role} onClose={onClose} />
        </Suspense>
      )
    );
  if (dialog === 'edit')
    return (
      role && (
        <RoleForm role={role} onClose={onClose} onDone={({ name }) => done(t('saved', { name: roleName(name) }))} />
      )
    );
  return (
    <RoleForm
      like={role}
      onClose={onClose}
      onDone={({ id, name }) => {
        done(t('added', { name }));
        void navigate({ to: paths.role, params: { id: String(id) } });
      }}
    />
  );
}

function DeleteForm({ role, onDone, onClose }: { role: RoleRow; onDone: () => void; onClose: () => void }) {
  const t = useTranslations('roles');
  const send = useSend(roles.delete);
  const held = role.users_count > 0;
  return (
    <>
      <ErrorNotice error={send.error} />
      {held ? (
        <Notice>
          {t('held', { count: role.users_count })} <HoldersLink role={role} />
        </Notice>
      ) : (
        <p>{t('deleteText')}</p>
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t(held ? 'close' : 'keep')}
        </Button>
        {!held && (
          <Button
            color="red"
            loading={send.isPending}
            onClick={() => send.mutate({ params: { id: role.id } }, { onSuccess: onDone })}
          >
            {t('do.delete')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
