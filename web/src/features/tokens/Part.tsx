import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { SectionTitle } from '../../ui/SectionTitle.tsx';

type Props = { title: string; lead?: string; actions?: ReactNode; children: ReactNode };

/** A titled part of the page with its actions. */
export const Part = ({ title, lead, actions, children }: Props) => (
  <section>
    <Group justify="space-between" px="gutter" gap={8} pb={lead === undefined ? 12 : 4}>
      <SectionTitle>{title}</SectionTitle>
      {actions}
    </Group>
    {lead !== undefined && (
      <p className="muted" style={{ padding: '0 var(--gutter) 12px', maxWidth: '46rem' }}>
        {lead}
      </p>
    )}
    {children}
  </section>
);
