import { Group, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: string; actions?: ReactNode; children: ReactNode };

export const Part = ({ title, actions, children }: Props) => (
  <Stack gap={12} renderRoot={(props) => <section {...props} aria-label={title} />}>
    <Group gap={8}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {actions}
    </Group>
    {children}
  </Stack>
);
