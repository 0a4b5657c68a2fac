import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export const Blocks = ({ children }: { children: ReactNode }) => (
  <Stack gap={36} maw="46rem" p="gutter">
    {children}
  </Stack>
);

type Props = { title: string; lead?: string; actions?: ReactNode; children: ReactNode };

/** A titled part of a tab, with its actions. */
export const Block = ({ title, lead, actions, children }: Props) => (
  <Stack gap={14} renderRoot={(props) => <section {...props} />}>
    <Group justify="space-between" gap={8}>
      <Title order={2} size="h3">
        {title}
      </Title>
      {actions}
    </Group>
    {lead !== undefined && (
      <Text className="muted" fz={13.5} mt={-8}>
        {lead}
      </Text>
    )}
    {children}
  </Stack>
);

type SettingProps = { label: string; hint: string; children: ReactNode };

/** A setting: its label above, which also labels the control, and a hint below. */
export const Setting = ({ label, hint, children }: SettingProps) => (
  <Stack align="start" gap={6}>
    <Text span fw={550} aria-hidden>
      {label}
    </Text>
    {children}
    <Text span className="muted" size="sm">
      {hint}
    </Text>
  </Stack>
);

/** No input is wider than its longest usual value. */
export const fieldWidth = '24rem';
