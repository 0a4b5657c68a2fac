import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';

/** A titled part of the summary. */
export const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <SectionTitle size="0.8125rem" mb={6}>
      {title}
    </SectionTitle>
    {children}
  </section>
);

/** The placeholder of a part that is loading. */
export const Waiting = ({ lines }: { lines: number }) => (
  <Stack gap={10} aria-hidden>
    {Array.from({ length: lines }, (_, line) => (
      <Skeleton key={line} height={14} width={`${70 - line * 12}%`} />
    ))}
  </Stack>
);
