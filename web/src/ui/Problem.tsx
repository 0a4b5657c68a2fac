import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is wrong with what was entered or chosen, below it. */
export const Problem = ({ children }: { children: ReactNode }) => (
  <Text c="var(--danger)" size="sm" role="alert">
    {children}
  </Text>
);
