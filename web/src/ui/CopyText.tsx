import { Code, Group } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';

type Props = {
  text: string;
  /** The name of the text, for assistive technology. */
  label: string;
  size?: 'compact-sm' | 'compact-md' | 'sm';
};

/** A text to enter elsewhere, with a button that copies it. */
export function CopyText({ text, label, size = 'compact-md' }: Props) {
  return (
    <Group gap={8}>
      <Code aria-label={label} role="note" fz="sm" p="6px 10px" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton text={text} label={label} size={size} />
    </Group>
  );
}
