import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ItemCard } from './ItemCard.tsx';
import { useItemChanges } from './use-item-changes.ts';
import type { TemplateForm } from './use-template-form.ts';
import { useItemDrag } from './use-item-drag.ts';
import classes from './builder.module.css';

export const maxItems = 50;

type Props = {
  record: TemplateForm;
  /** Content beside the button that adds an item. */
  extra?: ReactNode;
};

/** The list of items: add, copy, remove and sort by mouse and keyboard. */
export function ItemsEditor({ record, extra }: Props) {
  const t = useTranslations('kpiTemplates');
  const { form } = record;
  const { items } = form.values;
  const edit = useItemChanges(record);
  const drag = useItemDrag(edit.move);
  return (
    <>
      <output className="visually-hidden">{edit.announced}</output>
      {items.length > 0 ? (
        <Stack gap={8} renderRoot={(props) => <ol {...props} />}>
          {items.map((item, index) => (
            <ItemCard
              key={item.key}
              {...{ form, index, edit, drag }}
              count={items.length}
              startsOpen={edit.fresh === item.key}
            />
          ))}
        </Stack>
      ) : (
        <NoItems />
      )}
      <Group gap={8}>
        <Button
          id="add-item"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={items.length >= maxItems}
          onClick={edit.add}
        >
          {t('addItem')}
        </Button>
        {extra}
      </Group>
    </>
  );
}

function NoItems() {
  const t = useTranslations('kpiTemplates');
  return <p className={classes['noItems']}>{t('noItems')}</p>;
}
