import { Box, Group, Stack } from '@mantine/core';
import type { Column } from './DataTable.tsx';

const line = {
  display: 'grid',
  py: 2,
  fz: '0.8438rem',
  style: { gridTemplateColumns: '8rem minmax(0, 1fr)', gap: 12 },
} as const;

/**
 * A row as a card: the first column is its heading, the others are labelled values. A last column without a visible
 * header contains the buttons of the row, which are beside the heading, or below a long one.
 */
export function CardOf<Row>({ columns: [heading, ...others], row }: { columns: readonly Column<Row>[]; row: Row }) {
  const last = others.at(-1);
  const buttons = last?.headerHidden ? last : undefined;
  return (
    <Stack gap={6} miw={0}>
      <Group justify="space-between" align="flex-start" gap={8}>
        <Box fw={550} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {heading?.cell(row)}
        </Box>
        {buttons && <Box flex="none">{buttons.cell(row)}</Box>}
      </Group>
      <dl>
        {others
          .filter((column) => column !== buttons)
          .map(({ id, header, cell, headerHidden }) => (
            <Box key={id} {...(!headerHidden && line)}>
              <dt className={headerHidden ? 'visually-hidden' : 'muted'}>{header}</dt>
              <dd style={{ overflowWrap: 'anywhere' }}>{cell(row)}</dd>
            </Box>
          ))}
      </dl>
    </Stack>
  );
}
