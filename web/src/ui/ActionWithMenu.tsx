import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The last action of a page and its menu, which wrap together on a phone. */
export const ActionWithMenu = ({ children }: { children: ReactNode }) => (
  <Group gap={8} wrap="nowrap">
    {children}
  </Group>
);
