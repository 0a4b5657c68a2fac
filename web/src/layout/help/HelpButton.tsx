import { ActionIcon } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../ui/lazy-part.ts';
import { onHelp } from './open-help.ts';

const HelpDrawer = lazyPart(() => import('./HelpDrawer.tsx'), 'HelpDrawer', 'help', 'palette');

/** Opens the help for the page in a drawer, which is loaded when it is first opened. */
export function HelpButton() {
  const label = useTranslations('app')('help');
  const [state, setState] = useState<'open' | 'closed'>();
  useEffect(() => onHelp(() => setState('open')), []);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label={label} onClick={() => setState('open')}>
        <IconHelpCircle size={19} stroke={1.7} aria-hidden />
      </ActionIcon>
      {state && (
        <Suspense>
          <HelpDrawer opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
