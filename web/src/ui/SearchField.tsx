import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

type Props = {
  label: string;
  /** The current search text, from the address. */
  value: string | undefined;
  /** Called shortly after the last key. */
  onChange: (value: string | undefined) => void;
  w?: number | string;
};

/** A search field bound to the address: it sends the typed text and follows other changes of the address. */
export function SearchField({ label, value, onChange, w }: Props) {
  const [field, setField] = useState({ text: value ?? '', sent: value, seen: value });
  if (field.seen !== value) {
    const elsewhere = value !== field.sent;
    setField({ ...field, seen: value, ...(elsewhere && { sent: value, text: value ?? '' }) });
  }
  const send = useDebouncedCallback((text: string) => {
    const sent = text.trim() || undefined;
    setField((old) => ({ ...old, sent }));
    onChange(sent);
  }, 250);
  return (
    <TextInput
      {...(w !== undefined && { w })}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={100}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={field.text}
      onChange={({ currentTarget: { value: text } }) => {
        setField((old) => ({ ...old, text }));
        send(text);
      }}
    />
  );
}
