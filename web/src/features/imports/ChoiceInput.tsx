import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useChoices } from './choices.ts';

type Props = Omit<AutocompleteProps, 'data' | 'value' | 'onChange' | 'onOptionSubmit'> & {
  field: string;
  /** The company of the row, to offer its departments. */
  company?: string | undefined;
  value: string;
  onChange: (text: string) => void;
  /** Called when a choice is selected from the list. */
  onChoice?: (text: string) => void;
  /** The text for which all choices are offered, such as the wrong value itself. */
  unasked?: string;
};

/** A text input with the choices of a field; other text stays possible, since an import can create records. */
export function ChoiceInput({ field, company, value, onChange, onChoice, unasked, ...input }: Props) {
  const [search] = useDebouncedValue(value === unasked ? '' : value, 200);
  const choices = useChoices(field, search, company);
  const byValue = new Map(choices.map((choice) => [choice.value, choice]));
  return (
    <Autocomplete
      {...input}
      value={value}
      onChange={onChange}
      {...(onChoice && { onOptionSubmit: onChoice })}
      data={[...byValue.keys()]}
      filter={({ options }) => options}
      maxDropdownHeight={280}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', middlewares: { shift: true, flip: true } }}
      renderOption={({ option }) => {
        const { label = option.value, hint } = byValue.get(option.value) ?? {};
        return (
          <span>
            <bdi>{label}</bdi>
            {hint !== undefined && hint !== label && (
              <span className="muted small">
                {' · '}
                <bdi>{hint}</bdi>
              </span>
            )}
          </span>
        );
      }}
    />
  );
}
