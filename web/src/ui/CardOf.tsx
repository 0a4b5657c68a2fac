import { Box, Stack } from '@mantine/core';
import type { Column } from './DataTable.tsx';

const line = {
  display: 'grid',
  py: 2,
  fz: '0.8438rem',
  style: { gridTemplateColumns: '8rem minmax(0, 1fr)', gap: 12 },
} as const;

/** A row as a card: the first column is its heading, the others are labelled values. */
export function CardOf<Row>({ columns: [heading, ...others], row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <Stack gap={6} miw={0}>
      <Box fw={550}>{heading?.cell(row)}</Box>
      <dl>
        {others.map(({ id, header, cell, headerHidden }) => (
          <Box key={id} {...(!headerHidden && line)}>
            <dt className={headerHidden ? 'visually-hidden' : 'muted'}>{header}</dt>
            <dd style={{ overflowWrap: 'anywhere' }}>{cell(row)}</dd>
          </Box>
        ))}
      </dl>
    </Stack>
  );
}
