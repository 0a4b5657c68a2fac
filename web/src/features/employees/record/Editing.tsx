import { Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Highlights a section that is edited in place. */
export const Editing = ({ title, children }: { title: string; children: ReactNode }) => (
  <Paper
    component="section"
    p={16}
    mx="calc(8px - var(--gutter))"
    bd="1px solid var(--line)"
    bg="var(--sunken)"
    radius="lg"
  >
    <Title order={2} size="h3" mb={14}>
      {title}
    </Title>
    {children}
  </Paper>
);
