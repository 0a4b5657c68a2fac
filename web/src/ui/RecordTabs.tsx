import { Tabs } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import classes from './RecordPage.module.css';

type View = 'form' | 'activity';
type Props = {
  label: string;
  /** What the views are called, in their order. */
  names: Readonly<Record<View, string>>;
  view: View;
  onView: (view: View) => void;
  form: ReactNode;
  /** Is in the page while it is chosen, and may come later. */
  activity: ReactNode;
};

/** The views of a record that is written in steps: its form, and what happened to it. */
export function RecordTabs({ label, names, view, onView, form, activity }: Props) {
  return (
    <Tabs value={view} onChange={(tab) => onView(tab as View)}>
      <Tabs.List className={classes['tabs']} aria-label={label}>
        {(['form', 'activity'] as const).map((one) => (
          <Tabs.Tab key={one} value={one}>
            {names[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="form">{form}</Tabs.Panel>
      <Tabs.Panel value="activity" className={classes['activity']}>
        {view === 'activity' && <Suspense>{activity}</Suspense>}
      </Tabs.Panel>
    </Tabs>
  );
}
