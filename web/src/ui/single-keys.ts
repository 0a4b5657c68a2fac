import { useLocalStorage } from '@mantine/hooks';

/** Whether keys work without Control or Command; whoever dictates or is easily caught by them turns them off. */
export const useSingleKeys = () =>
  useLocalStorage<boolean>({ key: 'tenure.single-keys', defaultValue: true, getInitialValueInEffect: false });
