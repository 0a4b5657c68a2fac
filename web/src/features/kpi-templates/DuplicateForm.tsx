import { Button, TextInput } from '@mantine/core';
import { entities, kpiTemplates, type KpiTemplate, type KpiTemplateRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { DialogActions, DialogForm } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';

type Props = { template: KpiTemplateRow; onDone: (copy: KpiTemplate) => void; onClose: () => void };

/** A copy to work on: a draft under a name of its own, for the same company or another one. */
export function DuplicateForm({ template, onDone, onClose }: Props) {
  const t = useTranslations('kpiTemplates');
  const d = useTranslations('kpiTemplateDialogs');
  const { can } = useSession();
  const [name, setName] = useState(t('copyOf', { name: template.name }).slice(0, 150));
  const [entityId, setEntityId] = useState(template.entity_id ?? undefined);
  const send = useSend(kpiTemplates.duplicate);
  const errors = send.error?.fieldErrors ?? {};
  const mayNotServeAll = send.error?.status === 403 && entityId === undefined;
  const submit = () =>
    send.mutate(
      { params: { id: template.id }, body: { name, entity_id: entityId ?? null } },
      { onSuccess: ({ data }) => onDone(data) },
    );
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={mayNotServeAll ? null : send.error} fields={['name', 'entity_id']} />
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
          error={mayNotServeAll ? t('needsCompany') : errors['entity_id']}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={send.isPending}>
          {t('do.duplicate')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
