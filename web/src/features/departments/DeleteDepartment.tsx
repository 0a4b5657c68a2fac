import { Button } from '@mantine/core';
import { departments, type Department } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ConfirmDelete } from '../../ui/ConfirmDelete.tsx';
import { DialogActions } from '../../ui/Dialog.tsx';
import { BulletList } from '../../ui/BulletList.tsx';

type Props = { department: Department; onDeleted: () => void; onDeactivate: () => void; onClose: () => void };

/** Shows the consequences before deleting. A department that other records refer to cannot be deleted. */
export function DeleteDepartment(props: Props) {
  return props.department.allowed_actions.includes('delete') ? <Confirm {...props} /> : <Refused {...props} />;
}

function Refused({ department, onDeactivate, onClose }: Props) {
  const t = useTranslations('departments');
  const { id, name, status, employees_count: people, children_count: below } = department;
  const isUsed = people + below > 0;
  const mayRest = status === 'active' && people === 0 && department.allowed_actions.includes('update');
  return (
    <>
      <p>{t('delete.inUse', { name })}</p>
      <BulletList>
        {people > 0 && (
          <li>
            {t('delete.people', { count: people })}{' '}
            <Link to={paths.employees} search={{ department_id: id, activity_status: 'active' }}>
              {t('delete.seePeople')}
            </Link>
          </li>
        )}
        {below > 0 && <li>{t('delete.below', { count: below })}</li>}
        {!isUsed && <li>{t('delete.history')}</li>}
      </BulletList>
      <DialogActions>
        {mayRest && (
          <Button variant="default" onClick={onDeactivate}>
            {t('delete.deactivate')}
          </Button>
        )}
        <Button variant={mayRest ? 'default' : 'filled'} onClick={onClose} data-autofocus>
          {t('delete.close')}
        </Button>
      </DialogActions>
    </>
  );
}

function Confirm({ department: { id, name }, onDeleted, onClose }: Props) {
  const t = useTranslations('departments');
  const send = useSend(departments.delete);
  return (
    <ConfirmDelete
      send={send}
      keep={t('delete.keep')}
      confirm={t('delete.confirm')}
      onConfirm={() => send.mutate({ params: { id } }, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {t('delete.forGood', { name })}
    </ConfirmDelete>
  );
}
