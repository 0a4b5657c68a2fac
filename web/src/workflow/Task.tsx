import { Button } from '@mantine/core';
import { IconArrowRight, IconCircleCheck } from '@tabler/icons-react';
import type { ActionableItem } from '@tenure/contract';
import { useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Day } from '../ui/Dates.tsx';
import { focusNeighbour } from '../ui/focus-neighbour.ts';
import { PersonAvatar } from '../ui/PersonAvatar.tsx';
import classes from '../ui/Inbox.module.css';
import { canFinish } from './use-finish.ts';

type Props = {
  item: ActionableItem;
  /** Given if tasks can be finished in the list. */
  onFinish?: (item: ActionableItem) => void;
};

/** A task: a row that links to where it is done. */
export function Task({ item, onFinish }: Props) {
  const t = useTranslations('tasks');
  const { employee, due_date, description, acting_for } = item;
  return (
    <li className={classes['task']} data-item>
      {employee ? (
        <PersonAvatar id={employee.id} name={employee.name} />
      ) : (
        <IconCircleCheck size={22} stroke={1.5} aria-hidden />
      )}
      <div className={classes['what']}>
        <TaskLink item={item} />
        <span className="muted">
          {acting_for && `${t('actingFor', { name: acting_for.name })} · `}
          {description ?? t(`kind.${item.kind}`)}
        </span>
      </div>
      <div className={classes['foot']}>
        {due_date !== null && (
          <span className={classes['due']} data-late={item.priority === 'overdue' || undefined}>
            {t('due')} <Day value={due_date} />
          </span>
        )}
        {onFinish && canFinish(item) && (
          <Button
            variant="default"
            size="compact-sm"
            data-finish
            aria-label={t('finishOf', { title: item.title })}
            onClick={({ currentTarget }) => {
              focusNeighbour(currentTarget, '[data-task]');
              onFinish(item);
            }}
          >
            {t('finish')}
          </Button>
        )}
        {/* the link already names the action; this repeats its verb for sighted users */}
        <span className={classes['action']} aria-hidden>
          {t(`action.${item.kind}`)}
          <IconArrowRight size={16} className="directional" />
        </span>
      </div>
    </li>
  );
}

function TaskLink({ item: { url, title } }: { item: ActionableItem }) {
  const router = useRouter();
  return (
    <a
      href={url}
      data-task
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void router.navigate({ href: url });
      }}
    >
      {title}
    </a>
  );
}
