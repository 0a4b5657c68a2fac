import { Button } from '@mantine/core';
import { entities, type Entity, type EntityRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { BulletList } from '../../ui/BulletList.tsx';
import { ConfirmDelete } from '../../ui/ConfirmDelete.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { CompanyForm } from './CompanyForm.tsx';

export type CompanyDialog = 'add-company' | 'edit-company' | 'delete-company';

type Props = {
  dialog: CompanyDialog | undefined;
  company: EntityRow | undefined;
  onClose: () => void;
  onCreated?: (company: Entity) => void;
  onDeleted: () => void;
};

/** The dialogs of the company pages. */
export function CompanyDialogs({ dialog, company, onClose, onCreated, onDeleted }: Props) {
  const t = useTranslations('companies');
  const toast = useToast();
  const opened = dialog === 'add-company' || (dialog !== undefined && company !== undefined);
  const shown = useLastShown(opened ? { dialog, company } : undefined);
  const saved = (one: Entity) => {
    toast({ text: t(shown?.dialog === 'add-company' ? 'created' : 'saved', { name: one.name }) });
    if (shown?.dialog === 'add-company') onCreated?.(one);
    else onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={shown ? t(`dialog.${shown.dialog}`, { name: shown.company?.name ?? '' }) : ''}
      {...(shown?.dialog !== 'delete-company' && { size: 'lg' })}
    >
      {shown?.dialog === 'add-company' && <CompanyForm onSaved={saved} onClose={onClose} />}
      {shown?.dialog === 'edit-company' && <CompanyForm company={shown.company} onSaved={saved} onClose={onClose} />}
      {shown?.dialog === 'delete-company' && shown.company && (
        <DeleteCompany company={shown.company} onClose={onClose} onDeleted={onDeleted} />
      )}
    </Dialog>
  );
}

type DeleteProps = { company: EntityRow; onClose: () => void; onDeleted: () => void };

function DeleteCompany({ company, onClose, onDeleted }: DeleteProps) {
  const t = useTranslations('companies');
  const toast = useToast();
  const send = useSend(entities.delete);
  const { name } = company;
  const remove = () =>
    send.mutate(
      { params: { id: company.id } },
      {
        onSuccess: () => {
          toast({ text: t('deleted', { name }) });
          onDeleted();
        },
      },
    );
  if (!company.allowed_actions.includes('delete')) return <CompanyInUse company={company} onClose={onClose} />;
  return (
    <ConfirmDelete
      send={send}
      keep={t('delete.keep')}
      confirm={t('delete.confirm')}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('delete.forGood', { name })}
    </ConfirmDelete>
  );
}

/** Lists the references that prevent the deletion of a company. */
function CompanyInUse({ company, onClose }: Omit<DeleteProps, 'onDeleted'>) {
  const t = useTranslations('companies');
  const { departments_count, employees_count, name } = company;
  return (
    <>
      <p>{t('delete.inUse', { name })}</p>
      <BulletList gap={4}>
        {employees_count > 0 && <li>{t('delete.people', { count: employees_count })}</li>}
        {departments_count > 0 && <li>{t('delete.departments', { count: departments_count })}</li>}
        {employees_count + departments_count === 0 && <li>{t('delete.history')}</li>}
      </BulletList>
      <DialogActions>
        <Button onClick={onClose}>{t('delete.keep')}</Button>
      </DialogActions>
    </>
  );
}
