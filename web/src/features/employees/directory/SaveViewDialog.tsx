import { Switch, TextInput } from '@mantine/core';
import { savedViews, type SavedView } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';

type Content = Pick<SavedView, 'query' | 'columns' | 'density'>;

type Props = {
  /** The view to rename or share; undefined to save the current list as a new one. */
  view: SavedView | undefined;
  content: Content;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
};

export function SaveViewDialog({ view, content, onClose, onSaved }: Props) {
  const t = useTranslations('employees.views');
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.is_shared ?? false);
  const [first, setFirst] = useState(view?.is_default ?? false);
  const { save, error, isPending } = useSave(view, content, (saved) => {
    onSaved(saved);
    onClose();
  });
  return (
    <Dialog title={t(view ? 'editTitle' : 'saveTitle')} opened onClose={onClose}>
      <DialogForm onSubmit={() => save({ name, is_shared: shared, is_default: first })}>
        <ErrorNotice error={error} fields={['name']} />
        <TextInput
          label={t('name')}
          required
          maxLength={60}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          {...(error?.fieldErrors['name'] !== undefined && { error: error.fieldErrors['name'] })}
        />
        <Switch
          label={t('share')}
          description={t('shareHint')}
          checked={shared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <Switch label={t('first')} checked={first} onChange={(event) => setFirst(event.currentTarget.checked)} />
        <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('save')} loading={isPending} />
      </DialogForm>
    </Dialog>
  );
}

/** Renames or shares a view, or saves the current list as a new one. */
function useSave(view: SavedView | undefined, content: Content, onSaved: (view: SavedView) => void) {
  const create = useSend(savedViews.create);
  const update = useSend(savedViews.update);
  const save = (about: Pick<SavedView, 'name' | 'is_shared' | 'is_default'>) => {
    const onSuccess = ({ data }: { data: SavedView }) => onSaved(data);
    if (view) update.mutate({ params: { id: view.id }, body: { ...about, revision: view.revision } }, { onSuccess });
    else create.mutate({ body: { ...about, ...content, resource: 'employees' } }, { onSuccess });
  };
  return { save, error: create.error ?? update.error, isPending: create.isPending || update.isPending };
}
