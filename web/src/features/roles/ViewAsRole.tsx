import { roles, type RoleRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useChangeView } from '../../api/role-view.ts';
import { paths } from '../../paths.ts';
import { BulletList } from '../../ui/BulletList.tsx';
import { CompaniesField } from '../../ui/CompaniesField.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useRoleName } from '../../ui/role-name.ts';

/** Starts viewing the application as a role, for all or some companies. */
export function ViewAsRole({ role, onClose }: { role: RoleRow; onClose: () => void }) {
  const t = useTranslations('roleView');
  const [companies, setCompanies] = useState<string[]>([]);
  const roleName = useRoleName();
  const start = useChangeView(roles.startView);
  const submit = () => {
    const body = companies.length > 0 ? { entity_ids: companies.map(Number) } : {};
    start.mutate({ input: { params: { id: role.id }, body }, href: paths.home });
  };
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={start.error} fields={['entity_ids']} />
      <p>{t('text', { role: roleName(role.name) })}</p>
      <BulletList>
        <li>{t('readOnly')}</li>
        <li>{t(role.scope === 'managed' ? 'managed' : 'own')}</li>
        <li>{t('logged')}</li>
      </BulletList>
      {role.scope !== 'own' && (
        <CompaniesField
          label={t('companies')}
          all={t('allCompanies')}
          value={companies}
          onChange={setCompanies}
          error={start.error?.fieldErrors['entity_ids']}
        />
      )}
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t('start', { role: roleName(role.name) })}
        loading={start.isPending}
      />
    </DialogForm>
  );
}
