import { actionableItems, evaluationSteps, type ActionableItem, type ActionableKind } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call, type CallOptions } from '../api/call.ts';
import { defer, flush, cancelDeferred, useDeferred } from '../ui/deferred.ts';
import { useToast } from '../ui/toasts.tsx';

type Finish = (id: number, options: CallOptions) => Promise<unknown>;

/** Tasks that only need a decision: the action's API name and how to send it. */
const finishing: { [K in ActionableKind]?: { action: string; send: Finish } } = {
  kpi_close: {
    action: 'close',
    send: (id, options) => call(evaluationSteps.close, { params: { id }, body: {} }, options),
  },
};

const nameOf = (item: ActionableItem) => `task.${item.id}`;

/** Can this task be finished in the list? */
export const canFinish = ({ kind, allowed_actions }: ActionableItem): boolean =>
  allowed_actions.includes(finishing[kind]?.action ?? '');

/** Finishes a task in the list: it leaves at once, and is sent when the time to undo is over. */
export function useFinish() {
  const t = useTranslations('tasks');
  const toast = useToast();
  const queries = useQueryClient();
  const waiting = useDeferred();
  const finish = (item: ActionableItem) => {
    const name = nameOf(item);
    defer(name, async (options) => {
      try {
        await finishing[item.kind]?.send(item.subject.id, options);
      } catch {
        toast({ text: t('notFinished', { title: item.title }) });
      }
      const paths: readonly string[] = [actionableItems.list.path, actionableItems.counts.path];
      await queries.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(String(queryKey[0])) });
    });
    toast({
      text: t('finished', { title: item.title }),
      undo: () => cancelDeferred(name),
      onGone: () => void flush(name),
    });
  };
  return { finish, isDone: (item: ActionableItem) => waiting.has(nameOf(item)) };
}
