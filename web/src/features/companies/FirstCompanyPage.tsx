import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { entities } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FormSheet } from '../../ui/FormSheet.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { companyBody, newCompany, primaryFields } from './company-fields.ts';
import { CompanyInput } from './CompanyInput.tsx';

/** Creates the first company, with its required fields only; all other records need a company. */
export function FirstCompanyPage() {
  const t = useTranslations('company');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const send = useSend(entities.create);
  const form = useForm<Record<string, string>>({ initialValues: newCompany(primaryFields) });
  const save = form.onSubmit((texts) =>
    send.mutate(
      { body: { name: '', ...companyBody(texts) } },
      {
        onSuccess: () => {
          // otherwise the next page shows the earlier answer, that there is no company, until it is refetched
          queries.removeQueries({ queryKey: [entities.list.path] });
          void navigate({ to: paths.newImport });
        },
        onError: (error) => {
          form.setErrors(error.fieldErrors);
          const first = primaryFields.find((field) => field in error.fieldErrors);
          if (first) form.getInputNode(first)?.focus();
        },
      },
    ),
  );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <FormSheet onSubmit={save}>
        <ErrorNotice error={send.error} fields={primaryFields} />
        {primaryFields.map((name) => (
          <CompanyInput key={name} name={name} form={form} isNew isFirst={false} />
        ))}
        <div>
          <Button type="submit" loading={send.isPending}>
            {t('submit')}
          </Button>
        </div>
      </FormSheet>
    </>
  );
}
