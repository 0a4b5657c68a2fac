import { Box, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './Fold.module.css';

type Props = {
  title: string;
  /** Said beside the title, such as how much is filled in. */
  note?: string | undefined;
  /** Something inside needs attention: it opens by itself. */
  open?: boolean;
  children: ReactNode;
};

/** A part of a form that most people leave alone, one press away. */
export function Fold({ title, note, open = false, children }: Props) {
  const [opened, setOpened] = useState(open);
  return (
    <details
      className={classes['fold']}
      open={opened || open}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} className="directional" aria-hidden />
        {title}
        {note !== undefined && (
          <Text span truncate className="muted" size="sm" flex={1} miw={0}>
            {note}
          </Text>
        )}
      </summary>
      <Box px={14} pt={6} pb={18}>
        {children}
      </Box>
    </details>
  );
}
