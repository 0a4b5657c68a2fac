import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { gap?: number; children: ReactNode };

/** A list of short sentences, such as reasons or consequences. */
export const BulletList = ({ gap = 6, children }: Props) => (
  <Stack gap={gap} ps={18} lh={1.45} style={{ listStyle: 'disc' }} renderRoot={(props) => <ul {...props} />}>
    {children}
  </Stack>
);
