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
  /** Marked as what has to be answered. */
  required?: boolean;
  /** Takes the answer back; without it one of them stays chosen. */
  clear?: string;
};

/** One of a few, side by side: radio buttons that look like a row of keys. */
export function Segments({
  label,
  hideLabel = false,
  choices,
  value,
  onChange,
  error,
  required,
  clear,
}: SegmentsProps) {
  const id = useId();
  return (
    <fieldset className={classes['field']} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={hideLabel ? 'visually-hidden' : undefined}>
        {label}
        {required && (
          <span style={{ color: 'var(--danger)' }} aria-hidden>
            {' *'}
          </span>
        )}
      </legend>
      <div className={classes['segments']}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes['segment']}>
            <input
              type="radio"
              name={id}
              required={required}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>{choice.label}</span>
          </label>
        ))}
        {clear !== undefined && value !== '' && (
          <button type="button" className={classes['clear']} onClick={() => onChange('')}>
            {clear}
          </button>
        )}
      </div>
      {error !== undefined && (
        <p className={classes['error']} id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
