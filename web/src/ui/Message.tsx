import { Title } from '@mantine/core';
import type { Icon as IconOf } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Message.module.css';
import { usePageTitle } from './use-page-title.ts';

type Props = { title: string; children?: ReactNode; actions?: ReactNode; page?: boolean; icon?: IconOf };

/** A message in the place of content: nothing there, refused, failed. As a `page` its title is the h1. */
export const Message = ({ title, children, actions, page = false, icon: Icon }: Props) => (
  <div className={classes['message']} data-page={page || undefined}>
    {page && <WindowTitle title={title} />}
    {Icon && (
      <span className={classes['icon']}>
        <Icon size={26} stroke={1.5} aria-hidden />
      </span>
    )}
    <Title order={page ? 1 : 2}>{title}</Title>
    {children !== undefined && <p className="muted">{children}</p>}
    {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
  </div>
);

function WindowTitle({ title }: { title: string }) {
  usePageTitle(title);
  return null;
}
