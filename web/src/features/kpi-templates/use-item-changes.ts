import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { useToast } from '../../ui/toasts.tsx';
import type { TemplateForm } from './use-template-form.ts';
import { newItem, type ItemValues } from './values.ts';

const focusOn = (id: string) => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.focus();

/** Adding, copying, moving and removing items, each with where the focus goes and what is announced. */
export function useItemChanges({ form }: TemplateForm) {
  const t = useTranslations('kpiTemplates');
  const toast = useToast();
  const [announced, setAnnounced] = useState('');
  /** The item that was added last: it shows all of its fields. */
  const [fresh, setFresh] = useState<string>();
  const { items } = form.values;
  const titleOf = (index: number) => items[index]?.name.trim() || t('itemNumber', { number: index + 1 });

  const insert = (item: ItemValues, index: number) => {
    flushSync(() => {
      setFresh(item.key);
      form.insertListItem('items', item, index);
    });
    focusOn(`${item.key}-name`);
  };
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
    /** Puts an item elsewhere; what was refused about it goes along. The focus stays where it is. */
    move: (from: number, to: number) => {
      const name = titleOf(from);
      const held = document.activeElement;
      flushSync(() => {
        const step = Math.sign(to - from);
        for (let place = from; place !== to; place += step)
          form.reorderListItem('items', { from: place, to: place + step });
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

export type ItemChanges = ReturnType<typeof useItemChanges>;
