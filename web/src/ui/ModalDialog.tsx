import { Modal, Stack } from '@mantine/core';
import { useState, type PointerEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { DialogProps } from './dialog-props.ts';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useOpenedAfterMount } from './use-opened-after-mount.ts';

/** The window of a dialog. A click outside closes it unless that would lose input. */
export function ModalDialog({ opened, children, showsOnce = false, ...props }: DialogProps) {
  const t = useTranslations('dialog');
  const isShown = useOpenedAfterMount(opened);
  const [hasInput, setHasInput] = useState(false);
  if (!isShown && hasInput) setHasInput(false);
  useEscape(isShown, props.onClose);
  useFocusBack();
  return (
    <Modal
      {...props}
      opened={isShown}
      centered
      closeOnClickOutside={!hasInput && !showsOnce}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack
        gap={14}
        onChange={() => setHasInput(true)}
        onPointerDown={(event) => isInputByPointer(event) && setHasInput(true)}
      >
        {children}
      </Stack>
    </Modal>
  );
}

/** Selecting an option and drawing a signature cause no input event. */
const isInputByPointer = ({ target }: PointerEvent) =>
  target instanceof Element && target.closest('[role=option], canvas') !== null;
