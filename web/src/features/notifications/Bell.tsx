import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../../ui/lazy-part.ts';
import { useUnread } from './use-unread.ts';

const Latest = lazyPart(() => import('./Latest.tsx'), 'Latest', 'notifications');

/** The button of the popover with the latest notifications; its label has the unread count. */
export function Bell() {
  const t = useTranslations('nav');
  const count = useUnread();
  const path = useRouterState({ select: (state) => state.location.href });
  // Navigation to another page closes the popover.
  const [openOn, setOpenOn] = useState<string>();
  const open = openOn === path;
  const onChange = (next: boolean) => setOpenOn(next ? path : undefined);
  return (
    <Popover
      opened={open}
      onChange={onChange}
      position="bottom-start"
      width={400}
      shadow="md"
      trapFocus
      returnFocus
      hideDetached={false}
    >
      <Popover.Target>
        <ActionIcon
          variant={count > 0 ? 'light' : 'subtle'}
          {...(count === 0 && { color: 'gray' })}
          aria-label={t('bell', { count })}
          onClick={() => onChange(!open)}
        >
          <IconBell size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        {open && (
          <Suspense>
            <Latest />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
