import { Box, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Day } from '../ui/Dates.tsx';
import { PersonAvatar } from '../ui/PersonAvatar.tsx';
import classes from '../ui/PersonRows.module.css';

type PersonProps = { person: { id: number; name: string }; note: string; children: ReactNode };

/** The person of a row: picture, the link to the record, and a note below it. */
export const Person = ({ person: { id, name }, note, children }: PersonProps) => (
  <Group gap={10} wrap="nowrap" miw={0}>
    <PersonAvatar id={id} name={name} />
    <Stack gap={0} miw={0}>
      {children}
      <Box className="muted truncate" fz="sm" lh={1.35}>
        {note}
      </Box>
    </Stack>
  </Group>
);

/** A day, with the problem about it below. */
export const DueDay = ({ day, problem }: { day: string; problem: string | false }) => (
  <Stack component="span" gap={0} lh={1.4}>
    <Day value={day} />
    {problem && <span className={classes['overdue']}>{problem}</span>}
  </Stack>
);

/** The last line of a row on a phone. */
export const CardFoot = ({ children }: { children: ReactNode }) => (
  <Group justify="space-between" gap="6px 14px">
    {children}
  </Group>
);
