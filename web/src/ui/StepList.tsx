import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormatter } from 'use-intl';
import classes from './StepList.module.css';

type Props<Step extends string> = {
  label: string;
  steps: readonly { key: Step; label: string }[];
  at: Step;
  /** The current step is done as well. */
  done?: boolean;
  /** The screen-reader text of a finished step. */
  doneLabel: string;
  /** Wraps the content of a step, such as in a link. */
  wrap?: (step: Step, content: ReactNode) => ReactNode;
};

/** The progress in a few steps; finished ones have a tick. */
export function StepList<Step extends string>({ label, steps, at, done = false, doneLabel, wrap }: Props<Step>) {
  const format = useFormatter();
  const current = steps.findIndex(({ key }) => key === at);
  return (
    <ol className={classes['steps']} aria-label={label}>
      {steps.map(({ key, label: text }, index) => {
        const isDone = index < current || (done && index === current);
        const content = (
          <>
            <span className={classes['number']} aria-hidden>
              {isDone ? <IconCheck size={13} stroke={2.4} /> : format.number(index + 1)}
            </span>
            <span className={classes['text']}>{text}</span>
            {isDone && <span className="visually-hidden"> {doneLabel}</span>}
          </>
        );
        return (
          <li key={key} aria-current={index === current ? 'step' : undefined} data-done={isDone || undefined}>
            {wrap && index !== current ? wrap(key, content) : content}
          </li>
        );
      })}
    </ol>
  );
}
