import { IconChevronRight } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import classes from './Chevron.module.css';

type Props = { isOpen: boolean; canOpen: boolean; onClick: (event: MouseEvent) => void };

/** Expands a row of a tree. Pointer only; the arrow keys expand and collapse by keyboard. */
export const Chevron = ({ isOpen, canOpen, onClick }: Props) => (
  <span
    className={classes['chevron']}
    data-open={isOpen || undefined}
    data-none={!canOpen || undefined}
    aria-hidden
    onClick={onClick}
  >
    <IconChevronRight size={16} className="directional" />
  </span>
);
