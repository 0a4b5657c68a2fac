import { Group, Stack } from '@mantine/core';
import { useId } from 'react';
import type { Delivery } from './issue.ts';

type Props = {
  label: string;
  choices: readonly { value: Delivery; label: string; about?: string }[];
  value: Delivery;
  onChange: (value: Delivery) => void;
};

/** How new passwords are delivered. */
export function DeliveryChoice({ label, choices, value, onChange }: Props) {
  const id = useId();
  return (
    <Stack component="fieldset" gap="xs" p={0} bd={0}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map(({ value: one, label: name, about }) => (
        <Group key={one} gap="xs">
          <input
            type="radio"
            id={`${id}-${one}`}
            name={id}
            checked={one === value}
            onChange={() => onChange(one)}
            aria-describedby={about === undefined ? undefined : `${id}-${one}-about`}
          />
          <label htmlFor={`${id}-${one}`}>{name}</label>
          {about !== undefined && (
            <span id={`${id}-${one}-about`} className="muted">
              {about}
            </span>
          )}
        </Group>
      ))}
    </Stack>
  );
}
