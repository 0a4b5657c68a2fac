import { useLocalStorage } from '@mantine/hooks';

/** Are shortcuts without Control or Command on? Users of dictation turn them off. */
export const useSingleKeys = () =>
  useLocalStorage<boolean>({ key: 'tenure.single-keys', defaultValue: true, getInitialValueInEffect: false });
