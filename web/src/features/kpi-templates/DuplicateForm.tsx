import { TextInput } from '@mantine/core';
import { entities, kpiTemplates, type KpiTemplate, type KpiTemplateRow } from '@tenure/contract';
import { cut } from '@tenure/contract/cut';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';

type Props = { template: KpiTemplateRow; onDone: (copy: KpiTemplate) => void; onClose: () => void };

/** Copies a template as a draft with another name, for the same or another company. */
export function DuplicateForm({ template, onDone, onClose }: Props) {
  const t = useTranslations('kpiTemplates');
  const d = useTranslations('kpiTemplateDialogs');
  const { can } = useSession();
  const { name, setName, entityId, setEntityId, submit, isPending, error, errors } = useDuplicate(template, onDone);
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={error} fields={['name', 'entity_id']} />
      <p>{d('duplicate.lead')}</p>
      <TextInput
        label={t('field.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={150}
        required
        data-autofocus
        error={errors['name']}
      />
      {can('entities.view') && (
        <RecordSelect
          label={t('field.entity_id')}
          labelled
          description={t('companyHint')}
          list={entities.list}
          one={entities.get}
          known={template.entity ?? undefined}
          value={entityId}
          onChange={setEntityId}
          error={errors['entity_id']}
        />
      )}
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('do.duplicate')} loading={isPending} />
    </DialogForm>
  );
}

function useDuplicate(template: KpiTemplateRow, onDone: (copy: KpiTemplate) => void) {
  const t = useTranslations('kpiTemplates');
  const [name, setName] = useState(cut(t('copyOf', { name: template.name }), 150));
  const [entityId, setEntityId] = useState(template.entity_id ?? undefined);
  const send = useSend(kpiTemplates.duplicate);
  const submit = () =>
    send.mutate(
      { params: { id: template.id }, body: { name, entity_id: entityId ?? null } },
      { onSuccess: ({ data }) => onDone(data) },
    );
  return {
    name,
    setName,
    entityId,
    setEntityId,
    submit,
    isPending: send.isPending,
    error: send.error,
    errors: send.error?.fieldErrors ?? {},
  };
}
