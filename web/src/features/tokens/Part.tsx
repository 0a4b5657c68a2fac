import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { SectionTitle } from '../../ui/SectionTitle.tsx';

type Props = { title: string; lead?: string; actions?: ReactNode; children: ReactNode };

/** A titled part of the page with its actions. */
export const Part = ({ title, lead, actions, children }: Props) => (
  <section>
    <Group justify="space-between" px="gutter" gap={8}>
      <SectionTitle>{title}</SectionTitle>
      {actions}
    </Group>
    {lead !== undefined && (
      <p className="muted" style={{ paddingInline: 'var(--gutter)', maxWidth: '46rem' }}>
        {lead}
      </p>
    )}
    {children}
  </section>
);
