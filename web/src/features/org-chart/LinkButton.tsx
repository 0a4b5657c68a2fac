import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

/** A button that looks like a link, for use in a sentence. */
export const LinkButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <UnstyledButton
    onClick={onClick}
    mih={24}
    c="var(--accent)"
    td="underline"
    style={{ font: 'inherit', textUnderlineOffset: 3 }}
  >
    {children}
  </UnstyledButton>
);
