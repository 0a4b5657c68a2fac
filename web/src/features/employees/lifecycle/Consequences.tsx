import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** The consequences of a lifecycle step, shown before it is taken. A single one has no bullet. */
export const Consequences = ({ single = false, children }: { single?: boolean; children: ReactNode }) => (
  <Stack
    className="muted"
    gap={6}
    py={12}
    ps={single ? 14 : 30}
    pe={14}
    bg="var(--sunken)"
    bdrs={10}
    style={{ listStyle: single ? 'none' : 'disc' }}
    renderRoot={(props) => <ul {...props} />}
  >
    {children}
  </Stack>
);
