import { Box, Group, UnstyledButton } from '@mantine/core';
import { useId } from 'react';
import classes from './Segments.module.css';

type Choice = { value: string; label: string };
type SegmentsProps = {
  label: string;
  hideLabel?: boolean;
  choices: readonly Choice[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** Marks the field as required. */
  required?: boolean;
  /** The label of a button that clears the answer; without it one option stays chosen. */
  clear?: string;
};

/** Radio buttons in a row, for one of a few options. */
export function Segments(props: SegmentsProps) {
  const { label, hideLabel = false, choices, value, onChange, error, required, clear } = props;
  const id = useId();
  return (
    <fieldset className={classes['field']} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
        {required && (
          <Box component="span" c="var(--danger)" aria-hidden>
            {' *'}
          </Box>
        )}
      </legend>
      <Group gap={6}>
        {choices.map((choice) => (
          <Segment key={choice.value} {...props} name={id} choice={choice} />
        ))}
        {clear !== undefined && value !== '' && (
          <UnstyledButton className={classes['clear']} fz="sm" onClick={() => onChange('')}>
            {clear}
          </UnstyledButton>
        )}
      </Group>
      {error !== undefined && (
        <Box component="p" id={`${id}-error`} mt={6} c="var(--danger)" fz="xs">
          {error}
        </Box>
      )}
    </fieldset>
  );
}

type SegmentProps = Pick<SegmentsProps, 'value' | 'onChange' | 'required'> & { name: string; choice: Choice };

const Segment = ({ name, choice, value, onChange, required }: SegmentProps) => (
  <label className={classes['segment']}>
    <input
      type="radio"
      name={name}
      required={required}
      value={choice.value}
      checked={choice.value === value}
      onChange={() => onChange(choice.value)}
    />
    <span>{choice.label}</span>
  </label>
);
