import classes from './Pills.module.css';
import { useTabInView } from './use-tab-in-view.ts';

type Props<T extends string> = {
  label: string;
  options: readonly { value: T; label: string }[];
  /** Undefined if no option is chosen. */
  value: T | undefined;
  onChange: (value: T) => void;
};

/** A row of toggle buttons for one of a few options. */
export const Pills = <T extends string>({ label, options, value, onChange }: Props<T>) => (
  <fieldset ref={useTabInView<HTMLFieldSetElement>(value)} className={classes['pills']}>
    <legend className="visually-hidden">{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        className={classes['pill']}
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
      >
        {option.label}
      </button>
    ))}
  </fieldset>
);
