import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { useToast } from '../../ui/toasts.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { newItem, type ItemValues } from './values.ts';

const focusOn = (id: string) => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus();

/** Adds, copies, moves and removes items, moves the focus and announces the change. */
export function useItemChanges({ form }: TemplateForm) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const [announced, setAnnounced] = useState('');
  const { fresh, insert } = useInsertion(form);
  const { items } = form.values;
  const titleOf = (index: number) => items[index]?.name.trim() || t('itemNumber', { number: index + 1 });

  return {
    announced,
    fresh,
    titleOf,
    add: () => insert(newItem(), items.length),
    duplicate: (index: number) => {
      const item = items[index];
      if (item)
        insert({ ...item, key: newItem().key, id: null, name: t('copyOf', { name: titleOf(index) }) }, index + 1);
    },
    /** Moves an item with its errors. The focus stays on the button. */
    move: (from: number, to: number) => {
      const name = titleOf(from);
      const held = document.activeElement;
      flushSync(() => {
        const step = Math.sign(to - from);
        for (let index = from; index !== to; index += step)
          form.reorderListItem('items', { from: index, to: index + step });
        setAnnounced(t('moved', { name, place: to + 1, count: items.length }));
      });
      if (held instanceof HTMLElement) held.focus();
    },
    remove: (index: number) => {
      const item = items[index];
      if (!item) return;
      const next = items[index + 1] ?? items[index - 1];
      flushSync(() => form.removeListItem('items', index));
      focusOn(next ? `${next.key}-name` : 'add-item');
      toast({ text: t('removed', { name: titleOf(index) }), undo: () => insert(item, index) });
    },
  };
}

/** Adds an item and focuses it; the latest added item is unfolded. */
function useInsertion(form: TemplateForm['form']) {
  const [fresh, setFresh] = useState<string>();
  const insert = (item: ItemValues, index: number) => {
    flushSync(() => {
      setFresh(item.key);
      form.insertListItem('items', item, index);
    });
    focusOn(`${item.key}-name`);
  };
  return { fresh, insert };
}

export type ItemChanges = ReturnType<typeof useItemChanges>;
