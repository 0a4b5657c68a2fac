import { ActionIcon, Menu, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronDown, IconDots, IconGripVertical } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './builder.module.css';
import { ItemDetails, type ItemProps } from './ItemDetails.tsx';
import type { ItemChanges } from './use-item-changes.ts';
import type { useItemDrag } from './use-item-drag.ts';
import { useItemSummary } from './use-item-summary.ts';
import type { ItemValues } from './values.ts';

type Props = ItemProps & {
  count: number;
  edit: ItemChanges;
  drag: ReturnType<typeof useItemDrag>;
  startsOpen: boolean;
};

/** An item: name and weight in a line, and its other fields in a fold. */
export function ItemCard({ form, index, count, edit, drag, startsOpen }: Props) {
  const [isOpened, setOpened] = useState(startsOpen);
  const details = useId();
  const item = form.values.items[index];
  if (!item) return null;
  const isOpen = isOpened || hasHiddenError(form.errors, index);
  const name = edit.titleOf(index);
  return (
    <li
      className={classes['item']}
      data-line={drag.lineAt(index, index === count - 1)}
      data-dragged={drag.isDragged(index) || undefined}
      {...drag.target(index)}
    >
      <div className={classes['itemHead']}>
        <span className={classes['grip']} aria-hidden {...drag.handle(index)}>
          <IconGripVertical size={16} />
        </span>
        <span className={classes['place']} aria-hidden>
          {index + 1}
        </span>
        <NameAndWeight form={form} index={index} item={item} />
        <ItemActions {...{ item, name, index, count, edit, details, isOpen }} onToggle={() => setOpened(!isOpen)} />
      </div>
      <div id={details}>{isOpen ? <ItemDetails form={form} index={index} /> : <Summary item={item} />}</div>
    </li>
  );
}

type ActionsProps = Pick<Props, 'index' | 'count' | 'edit'> & {
  item: ItemValues;
  name: string;
  /** The id of the folded part. */
  details: string;
  isOpen: boolean;
  onToggle: () => void;
};

function ItemActions({ item, name, index, count, edit, details, isOpen, onToggle }: ActionsProps) {
  const t = useTranslations('kpiTemplates');
  const move = { item, name, index, count, onMove: edit.move };
  return (
    <div className={classes['itemActions']}>
      <MoveButton {...move} by={-1} />
      <MoveButton {...move} by={1} />
      <ItemMenu name={name} index={index} edit={edit} full={count >= 50} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        aria-label={t('details', { name })}
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={onToggle}
      >
        <IconChevronDown size={17} className={classes['chevron']} data-open={isOpen || undefined} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Does an error of this item belong to a folded field? */
const hasHiddenError = (errors: Record<string, unknown>, index: number): boolean =>
  Object.keys(errors).some((key) => {
    const [, at, field] = key.split('.');
    return key.startsWith('items.') && at === String(index) && field !== 'name' && field !== 'weight';
  });

function NameAndWeight({ form, index, item }: ItemProps & { item: ItemValues }) {
  const t = useTranslations('kpiTemplates');
  const of = t('itemNumber', { number: index + 1 });
  const weight = form.getInputProps(`items.${index}.weight`);
  return (
    <>
      <TextInput
        {...form.getInputProps(`items.${index}.name`)}
        id={`${item.key}-name`}
        className={classes['itemName']}
        aria-label={t('nameOf', { item: of })}
        placeholder={t('itemPlaceholder')}
        maxLength={200}
        required
      />
      <TextInput
        {...weight}
        onChange={(event) => {
          weight.onChange(event);
          form.clearFieldError('items');
        }}
        className={classes['itemWeight']}
        aria-label={t('weightOf', { item: of })}
        inputMode="decimal"
        autoComplete="off"
        rightSection="%"
        required
      />
    </>
  );
}

type MoveProps = {
  item: ItemValues;
  name: string;
  index: number;
  count: number;
  by: -1 | 1;
  onMove: (from: number, to: number) => void;
};

/** A disabled button stays in place, so that it keeps the focus. */
function MoveButton({ item, name, index, count, by, onMove }: MoveProps) {
  const t = useTranslations('kpiTemplates');
  const to = index + by;
  const isEnd = to < 0 || to >= count;
  const Icon = by < 0 ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      id={`${item.key}-${by < 0 ? 'up' : 'down'}`}
      variant="subtle"
      color="gray"
      size={30}
      aria-label={t(by < 0 ? 'moveUp' : 'moveDown', { name })}
      aria-disabled={isEnd || undefined}
      data-disabled={isEnd}
      onClick={() => !isEnd && onMove(index, to)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}

type MenuProps = { name: string; index: number; edit: ItemChanges; full: boolean };

function ItemMenu({ name, index, edit, full }: MenuProps) {
  const t = useTranslations('kpiTemplates');
  return (
    // The focus goes to the copy, or to the item after a removed one.
    <Menu position="bottom-end" width={190} returnFocus={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('itemMenu', { name })}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={full} onClick={() => edit.duplicate(index)}>
          {t('duplicateItem')}
        </Menu.Item>
        <Menu.Item color="red" onClick={() => edit.remove(index)}>
          {t('removeItem')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Summary({ item }: { item: ItemValues }) {
  const summary = useItemSummary();
  return <p className={classes['summary']}>{summary(item)}</p>;
}
