import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconHistory, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tints } from './alert-tints.ts';

type Kind = 'info' | 'history' | 'warning' | 'danger';
type Props = { kind?: Kind; children: ReactNode };

const icons = {
  info: IconInfoCircle,
  history: IconHistory,
  warning: IconAlertTriangle,
  danger: IconAlertTriangle,
};

/** A notice about the content; `history` if it is about the past. */
export function Notice({ kind = 'info', children }: Props) {
  const Icon = icons[kind];
  const tint = kind === 'warning' || kind === 'danger' ? tints[kind] : undefined;
  return (
    <output>
      <Alert
        icon={<Icon size={18} {...(tint && { color: tint.message.color })} />}
        // otherwise the focus ring of a field inside would be clipped
        styles={{ ...tint, message: { overflow: 'visible', ...tint?.message } }}
      >
        {children}
      </Alert>
    </output>
  );
}
