import { Flex } from '@mantine/core';
import { IconBuilding, IconHierarchy2 } from '@tabler/icons-react';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import type { ChartItem } from './tree.ts';

type Props = { item: Pick<ChartItem, 'kind' | 'id' | 'name' | 'picture'>; size: number; bg?: string };

/** The picture of a person, or the icon of a department or company. */
export function NodeSymbol({ item: { kind, id, name, picture }, size, bg = 'var(--accent-soft)' }: Props) {
  if (kind === 'employee') return <PersonAvatar id={id} name={name} size={size} url={picture} />;
  const Icon = kind === 'entity' ? IconBuilding : IconHierarchy2;
  return (
    <Flex
      component="span"
      align="center"
      justify="center"
      flex="none"
      w={size}
      h={size}
      bdrs={Math.round(size * 0.28)}
      bg={bg}
      c="var(--accent)"
      aria-hidden
    >
      <Icon size={size / 2} stroke={1.65} />
    </Flex>
  );
}
