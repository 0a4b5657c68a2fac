import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The last action of a page and its menu: on a phone they go to the next line together. */
export const ActionWithMenu = ({ children }: { children: ReactNode }) => (
  <Group gap={8} wrap="nowrap">
    {children}
  </Group>
);
