import { Alert } from '@mantine/core';
import { IconHistory, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Something worth knowing about what is on the screen; `history` when it is about what happened before. */
export const Notice = ({ kind = 'info', children }: { kind?: 'info' | 'history'; children: ReactNode }) => (
  <output>
    <Alert icon={kind === 'history' ? <IconHistory size={18} /> : <IconInfoCircle size={18} />}>{children}</Alert>
  </output>
);
