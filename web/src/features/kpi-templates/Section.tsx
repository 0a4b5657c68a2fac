import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={10} renderRoot={(props) => <section {...props} />}>
    <Title order={2} size="h3">
      {title}
    </Title>
    {children}
  </Stack>
);
