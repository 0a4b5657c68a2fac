import { entities, type Entity, type EntityRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { useValueText } from '../../ui/row-values.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import {
  companyBody,
  companyFields,
  companyLines,
  companyTexts,
  newCompany,
  rowOf,
  type CompanyField,
} from './company-fields.ts';
import { CompanyInput } from './CompanyInput.tsx';

type Props = {
  /** Absent for a new company. */
  company?: EntityRow | undefined;
  onSaved: (company: Entity) => void;
  onClose: () => void;
};

/** The form of a new or existing company. */
export function CompanyForm({ company, onSaved, onClose }: Props) {
  const t = useTranslations('companies');
  const label = useTranslations('fields.entity');
  const text = useValueText(label);
  const record = useCompanyForm(company, onSaved);
  const { form } = record;
  return (
    <DialogForm onSubmit={record.save}>
      <ErrorNotice error={record.error} fields={companyFields} />
      {companyLines.map((names) => {
        const inputs = names.map((name) => (
          <CompanyInput key={name} name={name} form={form} isNew={!company} isFirst={name === companyFields[0]} />
        ));
        return names.length === 1 ? (
          inputs
        ) : (
          <AutoGrid key={names[0]} min={names.length === 2 ? '15rem' : '11rem'} gap={16}>
            {inputs}
          </AutoGrid>
        );
      })}
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t(company ? 'save' : 'create')}
        loading={record.isPending}
      />
      <RecordConflict
        record={record}
        label={(name) => label(name as CompanyField)}
        show={(name, value) => text(name, rowOf(name as CompanyField), value)}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </DialogForm>
  );
}

function useCompanyForm(company: EntityRow | undefined, onSaved: (company: Entity) => void) {
  const create = useSend(entities.create);
  const update = useSend(entities.update);
  return useRecordForm({
    draft: `companies.${company?.id ?? 'new'}`,
    start: company ? { texts: companyTexts(company), revision: company.revision } : { texts: newCompany() },
    send: async (changed, revision) => {
      const body = companyBody(changed);
      if (!company)
        return create.mutateAsync({
          body: { ...companyBody(newCompany(['timezone', 'locale'])), name: '', ...body },
        });
      return update.mutateAsync({
        params: { id: company.id },
        body: { ...body, revision },
      });
    },
    reread: async () => {
      const { data } = await call(entities.get, { params: { id: company?.id ?? 0 } });
      return { texts: companyTexts(data), revision: data.revision };
    },
    onSaved: ({ data }) => onSaved(data),
  });
}
