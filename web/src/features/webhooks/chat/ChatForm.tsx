import { MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { chatCounts, chatKinds, chatTargets, type BodyIn, type ChatTarget } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { locales } from '../../../locales/locales.ts';
import { CompaniesField } from '../../../ui/CompaniesField.tsx';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { TimezoneSelect } from '../../../ui/TimezoneSelect.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useTimeOfDay } from './use-time-of-day.ts';

const fields = ['name', 'kind', 'url', 'entity_ids', 'counts', 'weekday', 'hour', 'timezone', 'language'];
const days = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;

/** The form values; the address of a channel is a secret, so an empty one stays unchanged. */
const valuesOf = (target: ChatTarget | undefined) => ({
  name: target?.name ?? '',
  kind: target?.kind ?? chatKinds[0],
  url: '',
  entity_ids: (target?.entity_ids ?? []).map(String),
  counts: [...(target?.counts ?? chatCounts)],
  weekday: String(target?.weekday ?? 0),
  hour: String(target?.hour ?? 9),
  timezone: target?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  language: target?.language ?? document.documentElement.lang,
});
type Values = ReturnType<typeof valuesOf>;

const bodyOf = ({ entity_ids: ids, weekday, hour, url, ...rest }: Values): BodyIn<typeof chatTargets.create> => ({
  ...rest,
  url: url.trim(),
  entity_ids: ids.length > 0 ? ids.map(Number) : null,
  weekday: weekday === '0' ? null : Number(weekday),
  hour: Number(hour),
});

type Props = { target: ChatTarget | 'new' | undefined; onClose: () => void };

/** The form of a channel, in a dialog. */
export function ChatForm({ target, onClose }: Props) {
  const t = useTranslations('chatTargets');
  const stored = typeof target === 'object' ? target : undefined;
  return (
    <Dialog title={stored?.name ?? t('add')} opened={target !== undefined} onClose={onClose} size="lg">
      {target !== undefined && <Form key={stored?.id ?? 0} target={stored} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ target, onClose }: { target: ChatTarget | undefined; onClose: () => void }) {
  const t = useTranslations('chatTargets');
  const toast = useToast();
  const form = useForm<Values>({ initialValues: valuesOf(target) });
  const create = useSend(chatTargets.create);
  const update = useSend(chatTargets.update);
  const { error, isPending } = target ? update : create;
  const onSuccess = () => {
    onClose();
    toast({ text: t(target ? 'saved' : 'added') });
  };
  const onError = ({ fieldErrors }: { fieldErrors: Record<string, string> }) => form.setErrors(fieldErrors);
  const save = () => {
    const { url, ...body } = bodyOf(form.values);
    if (!target) return create.mutate({ body: { ...body, url } }, { onSuccess, onError });
    const { id, revision } = target;
    update.mutate({ params: { id }, body: { ...body, ...(url && { url }), revision } }, { onSuccess, onError });
  };
  return (
    <DialogForm onSubmit={save}>
      <ErrorNotice error={error} fields={fields} />
      <Where form={form} isStored={target !== undefined} />
      <What form={form} />
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t(target ? 'save' : 'add')} loading={isPending} />
    </DialogForm>
  );
}

type FormOf = { form: ReturnType<typeof useForm<Values>> };

function Where({ form, isStored }: FormOf & { isStored: boolean }) {
  const t = useTranslations('chatTargets');
  return (
    <>
      <TextInput {...form.getInputProps('name')} label={t('field.name')} required autoComplete="off" data-autofocus />
      <NativeSelect
        {...form.getInputProps('kind')}
        label={t('field.kind')}
        data={chatKinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <TextInput
        {...form.getInputProps('url')}
        label={t('field.url')}
        description={t(isStored ? 'urlKept' : 'urlHelp')}
        required={!isStored}
        type="url"
        autoComplete="off"
      />
    </>
  );
}

function What({ form }: FormOf) {
  const t = useTranslations('chatTargets');
  const timeOf = useTimeOfDay();
  return (
    <>
      <MultiSelect
        {...form.getInputProps('counts')}
        label={t('field.counts')}
        description={t('countsHelp')}
        data={chatCounts.map((value) => ({ value, label: t(`count.${value}`) }))}
        required
      />
      <CompaniesField
        label={t('field.entity_ids')}
        description={t('companiesHelp')}
        all={t('allCompanies')}
        error={form.errors['entity_ids']}
        value={form.values.entity_ids}
        onChange={(ids) => form.setFieldValue('entity_ids', ids)}
      />
      <NativeSelect
        {...form.getInputProps('weekday')}
        label={t('field.weekday')}
        data={days.map((value) => ({ value, label: t(`weekday.${value}`) }))}
      />
      <NativeSelect
        {...form.getInputProps('hour')}
        label={t('field.hour')}
        data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: timeOf(hour) }))}
      />
      <TimezoneSelect {...form.getInputProps('timezone')} label={t('field.timezone')} />
      <NativeSelect
        {...form.getInputProps('language')}
        label={t('field.language')}
        data={locales.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </>
  );
}
