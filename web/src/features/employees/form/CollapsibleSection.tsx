import { Box, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import classes from './CollapsibleSection.module.css';

type Props = {
  title: string;
  /** A note beside the title, such as how many fields are filled in. */
  note?: string | undefined;
  /** Opens the fold, since a field inside it has an error. */
  open?: boolean;
  children: ReactNode;
};

/** A collapsible part of a form for the less frequent fields. */
export function CollapsibleSection({ title, note, open = false, children }: Props) {
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
