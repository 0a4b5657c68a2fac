import { Button, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { entities, importProfiles, type Import } from '@tenure/contract';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { useToast } from '../../ui/toasts.tsx';

/** Saves how the file was read under a name, for the next file from the same source. */
export function KeepProfile({ found }: { found: Import }) {
  const t = useTranslations('importProfiles');
  const [open, dialog] = useDisclosure(false);
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        {t('keep')}
      </Button>
      <Dialog opened={open} onClose={dialog.close} title={t('keepTitle')}>
        <Form found={found} onClose={dialog.close} />
      </Dialog>
    </div>
  );
}

function Form({ found: { id, defaults }, onClose }: { found: Import; onClose: () => void }) {
  const t = useTranslations('importProfiles');
  const toast = useToast();
  const send = useSend(importProfiles.create);
  const [name, setName] = useState('');
  const ofFile = defaults['entity_id'];
  const [company, setCompany] = useState(typeof ofFile === 'number' ? ofFile : undefined);
  const keep = (event: FormEvent) => {
    event.preventDefault();
    if (company === undefined || name.trim() === '') return;
    send.mutate(
      { params: { id }, body: { name: name.trim(), entity_id: company } },
      {
        onSuccess: () => {
          toast({ text: t('kept', { name: name.trim() }) });
          onClose();
        },
      },
    );
  };
  return (
    <Stack component="form" gap={14} onSubmit={keep}>
      <p>{t('keepText')}</p>
      <TextInput
        label={t('name')}
        value={name}
        maxLength={120}
        data-autofocus
        error={send.error?.fieldErrors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RecordSelect
        labelled
        label={t('company')}
        list={entities.list}
        one={entities.get}
        query={{ status: 'active' }}
        value={company}
        onChange={setCompany}
        error={send.error?.fieldErrors['entity_id']}
      />
      <ErrorNotice error={send.error} fields={['name', 'entity_id']} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={send.isPending} disabled={company === undefined || name.trim().length < 2}>
          {t('save')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
