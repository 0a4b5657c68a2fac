import { Button, Textarea, TextInput } from '@mantine/core';
import { entities, type Entity, type EntityRow } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { ConflictView } from '../../ui/ConflictView.tsx';
import { DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { TimezoneSelect } from '../../ui/TimezoneSelect.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import classes from './companies.module.css';
import { companyBody, companyFields, companyTexts, newCompany, numberFields } from './company-fields.ts';

type Props = {
  /** Absent for a new company. */
  company?: EntityRow | undefined;
  onSaved: (company: Entity) => void;
  onClose: () => void;
};

const hinted = new Set<string>(['code', 'country', 'timezone', ...numberFields]);

/** Everything a company has, new or to be changed. */
export function CompanyForm({ company, onSaved, onClose }: Props) {
  const t = useTranslations('companies');
  const record = useCompanyForm(company, onSaved);
  const { form } = record;
  const field = (name: (typeof companyFields)[number]) => ({
    ...form.getInputProps(name),
    label: t(`field.${name}`),
    ...(hinted.has(name) && { description: t(`hint.${name as 'code'}`) }),
  });
  return (
    <form
      className={classes['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      <ErrorNotice error={record.error} fields={companyFields} />
      <TextInput {...field('name')} maxLength={150} required data-autofocus />
      <TextInput {...field('code')} maxLength={10} required={company !== undefined} />
      <div className={classes['pair']}>
        <TextInput {...field('country')} maxLength={2} />
        <TimezoneSelect {...field('timezone')} />
      </div>
      <TextInput {...field('address')} maxLength={500} />
      <div className={classes['pair']}>
        <TextInput {...field('registration_number')} maxLength={50} />
        <TextInput {...field('tax_number')} maxLength={50} />
      </div>
      <Textarea {...field('description')} maxLength={2_000} rows={3} />
      <div className={classes['three']}>
        {numberFields.map((name) => (
          <TextInput key={name} {...field(name)} inputMode="numeric" maxLength={3} required />
        ))}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t(company ? 'save' : 'create')}
        </Button>
      </DialogActions>
      <ConflictView
        differences={record.differences}
        label={(name) => t(`field.${name as 'name'}`)}
        show={(_name, value) => value}
        onResolve={record.resolve}
        onCancel={record.backToForm}
        saving={record.isPending}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </form>
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
          body: { timezone: newCompany()['timezone'], name: '', ...body },
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
