import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The consequences of a lifecycle step, shown before it is taken. */
export const Consequences = ({ children }: { children: ReactNode }) => (
  <Stack
    className="muted"
    gap={6}
    py={12}
    ps={30}
    pe={14}
    bg="var(--sunken)"
    bdrs={10}
    style={{ listStyle: 'disc' }}
    renderRoot={(props) => <ul {...props} />}
  >
    {children}
  </Stack>
);
