import { Alert } from '@mantine/core';
import { IconHistory, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** A notice about the content; `history` if it is about the past. */
export const Notice = ({ kind = 'info', children }: { kind?: 'info' | 'history'; children: ReactNode }) => (
  <output>
    <Alert
      icon={kind === 'history' ? <IconHistory size={18} /> : <IconInfoCircle size={18} />}
      // otherwise the focus ring of a field in it is cut
      styles={{ message: { overflow: 'visible' } }}
    >
      {children}
    </Alert>
  </output>
);
