import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './PageHeader.module.css';
import { usePageTitle } from './use-page-title.ts';

type Props = { title: string; lead?: ReactNode; children?: ReactNode };

/** The one h1 of a page, a line below it, and the actions of the page. */
export function PageHeader({ title, lead, children }: Props) {
  usePageTitle(title);
  return (
    <div className={classes['header']}>
      <div className={classes['text']}>
        <Title order={1}>{title}</Title>
        {lead !== undefined && <div className={classes['lead']}>{lead}</div>}
      </div>
      {children}
    </div>
  );
}
