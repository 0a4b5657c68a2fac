import { Drawer } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useEscape } from '../../../../ui/use-escape.ts';
import { usePhone } from '../../../../ui/use-phone.ts';
import classes from './dialogs.module.css';
import { ResolveForm } from './ResolveForm.tsx';
import type { StepProps } from './use-step.ts';

type Props = StepProps & { title: string; opened: boolean };

/** Resolves a dispute beside the evaluation, which stays readable; on a phone, in place of it. */
export function ResolvePanel({ title, opened, ...props }: Props) {
  const t = useTranslations('dialog');
  const phone = usePhone();
  const [isShown, setShown] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- a drawer remembers the focus only if it was closed before
  useEffect(() => setShown(opened), [opened]);
  useEscape(isShown, props.onClose);
  return (
    <Drawer
      title={title}
      opened={isShown}
      onClose={props.onClose}
      position="right"
      size={phone ? '100%' : 'lg'}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ body: classes['panel'] }}
      {...(!phone && { withOverlay: false, lockScroll: false, trapFocus: false, closeOnClickOutside: false })}
    >
      <ResolveForm {...props} />
    </Drawer>
  );
}
