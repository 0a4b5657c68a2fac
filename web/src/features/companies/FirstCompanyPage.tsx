import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { entities } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FormSheet } from '../../ui/FormSheet.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { TimezoneSelect } from '../../ui/TimezoneSelect.tsx';

const fields = ['name', 'code', 'country', 'timezone'] as const;

/** The least a company needs; everything about people begins with it. */
export function FirstCompanyPage() {
  const t = useTranslations('company');
  const navigate = useNavigate();
  const send = useSend(entities.create);
  const form = useForm({
    initialValues: { name: '', code: '', country: '', timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone },
    transformValues: ({ code, country, ...rest }) => ({
      ...rest,
      ...(code !== '' && { code: code.toUpperCase() }),
      ...(country !== '' && { country: country.toUpperCase() }),
    }),
  });
  const save = form.onSubmit((body) =>
    send.mutate(
      { body },
      {
        onSuccess: () => void navigate({ to: paths.newImport }),
        onError: (error) => {
          form.setErrors(error.fieldErrors);
          const first = fields.find((field) => field in error.fieldErrors);
          if (first) form.getInputNode(first)?.focus();
        },
      },
    ),
  );
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <FormSheet onSubmit={save}>
        <ErrorNotice error={send.error} fields={fields} />
        <TextInput {...form.getInputProps('name')} label={t('name')} maxLength={150} required />
        <TextInput {...form.getInputProps('code')} label={t('code')} description={t('codeHint')} maxLength={10} />
        <TextInput
          {...form.getInputProps('country')}
          label={t('country')}
          description={t('countryHint')}
          maxLength={2}
        />
        <TimezoneSelect {...form.getInputProps('timezone')} label={t('timezone')} description={t('timezoneHint')} />
        <div>
          <Button type="submit" loading={send.isPending}>
            {t('submit')}
          </Button>
        </div>
      </FormSheet>
    </>
  );
}
