import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

export const Sections = ({ children }: { children: ReactNode }) => (
  <Stack gap={28} px="gutter" pt={20} pb={32}>
    {children}
  </Stack>
);
