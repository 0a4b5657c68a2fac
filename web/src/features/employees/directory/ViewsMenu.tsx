import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconChevronDown, IconUsers } from '@tabler/icons-react';
import { savedViews, type SavedView } from '@tenure/contract';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useToast } from '../../../ui/toasts.tsx';
import type { ListLayout } from '../../../ui/use-list-layout.ts';
import type { EmployeesSearch } from '../search.ts';
import { contentOf, searchOf, type Views } from './use-views.ts';

const SaveViewDialog = lazyPart(() => import('./SaveViewDialog.tsx'), 'SaveViewDialog');

type Props = { search: EmployeesSearch; views: Views; layout: ListLayout; onOpen: (search: EmployeesSearch) => void };

/** Saved views: open one, save the current list as one, change or delete one's own. */
export function ViewsMenu({ search, views, layout, onOpen }: Props) {
  const t = useTranslations('employees.views');
  const [dialog, setDialog] = useState<{ view: SavedView | undefined }>();
  const { current, isChanged } = views;
  const update = useSend(savedViews.update);
  const content = { query: contentOf(search), columns: [...layout.columns], density: layout.density };
  // Outside the menu, since the undo toast must outlive it.
  const removal = useRemove(() => onOpen({ view: 0 }));
  const store = ({ id, revision }: SavedView) => update.mutate({ params: { id }, body: { ...content, revision } });
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
            <span className="visually-hidden">{t('label')}: </span>
            {current ? current.name : t('everybody')}
            {isChanged && ` ${t('changed')}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Entries views={views} onOpen={onOpen} />
          <Menu.Divider />
          <Changes current={current} onStore={store} onEdit={(view) => setDialog({ view })} onRemove={removal.remove} />
        </Menu.Dropdown>
      </Menu>
      <ErrorNotice error={update.error ?? removal.error} />
      {dialog && (
        <Suspense fallback={null}>
          <SaveViewDialog
            view={dialog.view}
            content={content}
            onClose={() => setDialog(undefined)}
            onSaved={(saved) => onOpen(searchOf(saved))}
          />
        </Suspense>
      )}
    </>
  );
}

/** All people, then the user's own views and those of other users. */
function Entries({ views: { current, own, shared }, onOpen }: Pick<Props, 'views' | 'onOpen'>) {
  const t = useTranslations('employees.views');
  const entry = (view: SavedView) => (
    <Entry key={view.id} view={view} isCurrent={view.id === current?.id} onOpen={() => onOpen(searchOf(view))} />
  );
  return (
    <>
      <Menu.Item onClick={() => onOpen({ view: 0 })}>{t('everybody')}</Menu.Item>
      {own.length > 0 && <Menu.Label>{t('own')}</Menu.Label>}
      {own.map(entry)}
      {shared.length > 0 && <Menu.Label>{t('shared')}</Menu.Label>}
      {shared.map(entry)}
    </>
  );
}

type ChangesProps = {
  current: SavedView | undefined;
  onStore: (view: SavedView) => void;
  onEdit: (view: SavedView | undefined) => void;
  onRemove: (view: SavedView) => void;
};

/** Saves the current list as a view; changes or deletes the current view if it belongs to the user. */
function Changes({ current, onStore, onEdit, onRemove }: ChangesProps) {
  const t = useTranslations('employees.views');
  const mine = current?.is_own ? current : undefined;
  return (
    <>
      {mine && <Menu.Item onClick={() => onStore(mine)}>{t('update', { name: mine.name })}</Menu.Item>}
      <Menu.Item onClick={() => onEdit(undefined)}>{t('saveNew')}</Menu.Item>
      {mine && <Menu.Item onClick={() => onEdit(mine)}>{t('edit', { name: mine.name })}</Menu.Item>}
      {mine && <Menu.Item onClick={() => onRemove(mine)}>{t('delete', { name: mine.name })}</Menu.Item>}
    </>
  );
}

type EntryProps = { view: SavedView; isCurrent: boolean; onOpen: () => void };

function Entry({ view, isCurrent, onOpen }: EntryProps) {
  const t = useTranslations('employees.views');
  return (
    <Menu.Item
      leftSection={view.is_shared ? <IconUsers size={15} aria-hidden /> : <IconBookmark size={15} aria-hidden />}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen}
    >
      <bdi>{view.name}</bdi>
      {!view.is_own && <span className="muted"> · {view.owner.name ?? t('administrator')}</span>}
    </Menu.Item>
  );
}

/** Deletes a view and offers to undo it. */
function useRemove(onRemoved: () => void) {
  const t = useTranslations('employees.views');
  const toast = useToast();
  const remove = useSend(savedViews.delete);
  const again = useSend(savedViews.create);
  const removeView = (view: SavedView) => {
    const { name, resource, query, columns, density, is_shared, is_default } = view;
    const undo = () =>
      void again
        .mutateAsync({ body: { name, resource, query, columns, density, is_shared, is_default } })
        .catch(() => toast({ text: t('notUndone') }));
    remove.mutate(
      { params: { id: view.id } },
      {
        onSuccess: () => {
          toast({ text: t('deleted', { name }), undo });
          onRemoved();
        },
      },
    );
  };
  return { remove: removeView, error: remove.error };
}
