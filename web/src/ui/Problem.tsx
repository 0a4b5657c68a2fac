import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An error message below an input. */
export const Problem = ({ children }: { children: ReactNode }) => (
  <Text c="var(--danger)" size="sm" role="alert">
    {children}
  </Text>
);
