import { ActionIcon, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { HomePart } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useChangePreferences } from '../../api/preferences.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { moved, orderOf, stored, type Arrangement } from './arrangement.ts';

type Props = {
  opened: boolean;
  onClose: () => void;
  arrangement: Arrangement;
  /** The parts that the user can have. */
  offered: readonly HomePart[];
};

/** Shows, hides and moves the parts of the home page. Every change applies at once and is stored. */
export function Arrange({ opened, onClose, arrangement, offered }: Props) {
  const t = useTranslations('homeArrange');
  const change = useChangePreferences();
  const [said, setSaid] = useState('');
  const { hidden = [] } = arrangement;
  const order = orderOf(arrangement);
  const shown = order.filter((name) => offered.includes(name));
  const save = (nextOrder: readonly HomePart[], nextHidden: readonly HomePart[]) =>
    change({ home: stored(nextOrder, nextHidden) });
  const move = (name: HomePart, by: -1 | 1) => {
    save(moved(order, name, by, offered), hidden);
    setSaid(t('moved', { part: t(`part.${name}`), place: shown.indexOf(name) + by + 1, count: shown.length }));
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('title')}>
      <p className="muted">{t('lead')}</p>
      <Stack component="ol" gap={4} aria-label={t('parts')}>
        {shown.map((name, place) => (
          <Row
            key={name}
            label={t(`part.${name}`)}
            isShown={!hidden.includes(name)}
            isFirst={place === 0}
            isLast={place === shown.length - 1}
            onShow={(isShown) => save(order, isShown ? hidden.filter((other) => other !== name) : [...hidden, name])}
            onMove={(by) => move(name, by)}
          />
        ))}
      </Stack>
      <output className="visually-hidden">{said}</output>
      <DialogActions>
        <Button
          variant="default"
          mr="auto"
          onClick={() => {
            change({ home: null });
            setSaid(t('isReset'));
          }}
        >
          {t('reset')}
        </Button>
        <Button onClick={onClose}>{t('done')}</Button>
      </DialogActions>
    </Dialog>
  );
}

type RowProps = {
  label: string;
  isShown: boolean;
  isFirst: boolean;
  isLast: boolean;
  onShow: (isShown: boolean) => void;
  onMove: (by: -1 | 1) => void;
};

function Row({ label, isShown, isFirst, isLast, onShow, onMove }: RowProps) {
  const t = useTranslations('homeArrange');
  // not `disabled`, so that a button keeps the focus when its part reaches the end
  const arrow = (by: -1 | 1, isAtEnd: boolean) => ({
    variant: 'default',
    size: 36,
    'aria-disabled': isAtEnd,
    ...(isAtEnd && { 'data-disabled': true }),
    onClick: () => !isAtEnd && onMove(by),
  });
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <Checkbox label={label} checked={isShown} onChange={({ currentTarget: { checked } }) => onShow(checked)} />
      <Group gap={6} wrap="nowrap">
        <ActionIcon {...arrow(-1, isFirst)} aria-label={t('up', { part: label })}>
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon {...arrow(1, isLast)} aria-label={t('down', { part: label })}>
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
