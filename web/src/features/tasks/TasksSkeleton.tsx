import { Skeleton } from '@mantine/core';
import classes from '../../ui/Inbox.module.css';
import { ScrollPane } from '../../ui/ScrollPane.tsx';

/** The placeholder of tasks that are loading. */
export const TasksSkeleton = ({ label }: { label: string }) => (
  <ScrollPane line px="gutter" pb="gutter">
    <output className="visually-hidden">{label}</output>
    {Array.from({ length: 6 }, (_, line) => (
      <div key={line} className={classes['task']} aria-hidden>
        <Skeleton circle height={32} />
        <Skeleton height={11} width={`${30 + ((line * 9) % 16)}%`} />
      </div>
    ))}
  </ScrollPane>
);
