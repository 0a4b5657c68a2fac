import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Message.module.css';

type Props = { title: string; children?: ReactNode; actions?: ReactNode; page?: boolean };

/** A message in the place of content: nothing there, refused, failed. As a `page` its title is the h1. */
export const Message = ({ title, children, actions, page = false }: Props) => (
  <div className={classes['message']}>
    <Title order={page ? 1 : 2}>{title}</Title>
    {children !== undefined && <p className="muted">{children}</p>}
    {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
  </div>
);
