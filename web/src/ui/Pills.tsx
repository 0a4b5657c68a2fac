import classes from './Pills.module.css';

type Props<T extends string> = {
  label: string;
  options: readonly { value: T; label: string }[];
  /** Undefined when none of them is the case. */
  value: T | undefined;
  onChange: (value: T) => void;
};

/** One of a few: a row of buttons, the chosen one pressed. */
export const Pills = <T extends string>({ label, options, value, onChange }: Props<T>) => (
  <fieldset className={classes['pills']}>
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
