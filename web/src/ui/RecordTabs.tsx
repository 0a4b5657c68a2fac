import { Tabs } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import classes from './RecordPage.module.css';

type View = 'form' | 'activity';
type Props = {
  label: string;
  /** The labels of the views, in order. */
  names: Readonly<Record<View, string>>;
  view: View;
  onView: (view: View) => void;
  form: ReactNode;
  /** Rendered while its tab is chosen; may be lazy. */
  activity: ReactNode;
};

/** The tabs of a workflow record: its form and its history. */
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
