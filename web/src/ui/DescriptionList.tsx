import { Box, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { AutoGrid } from './AutoGrid.tsx';
import { SectionTitle } from './SectionTitle.tsx';

export type DescriptionItem = { label: string; value: ReactNode };

type Props = {
  title: string;
  items: readonly (DescriptionItem | false)[];
  /** Content beside the title, such as an edit button. */
  actions?: ReactNode;
  /** Shown if there are no items; without it the section is hidden then. */
  empty?: ReactNode;
  /** Content below the items. */
  children?: ReactNode;
};

/** A titled list of values. An absent value has no entry; an empty one shows a dash. */
export function DescriptionList({ title, items, actions, empty, children }: Props) {
  const shown = items.filter((item) => item !== false);
  if (shown.length === 0 && empty === undefined) return null;
  return (
    <section>
      <Group wrap="nowrap" gap={8} mih={28} mb={8}>
        <SectionTitle>{title}</SectionTitle>
        {actions}
      </Group>
      {shown.length === 0 ? (
        empty
      ) : (
        <AutoGrid component="dl" min="15rem" gap="14px 24px">
          {shown.map(({ label, value }) => (
            <div key={label}>
              <Box component="dt" className="muted small" mb={2}>
                {label}
              </Box>
              <dd style={{ overflowWrap: 'anywhere' }}>{value ?? <span className="muted">–</span>}</dd>
            </div>
          ))}
        </AutoGrid>
      )}
      {children}
    </section>
  );
}
