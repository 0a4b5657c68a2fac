import { useMounted } from '@mantine/hooks';

/** Dialogs and drawers remember where the focus was, to return it, only when they were closed before. */
export function useOpenedAfterMount(opened: boolean): boolean {
  const isMounted = useMounted();
  return opened && isMounted;
}
