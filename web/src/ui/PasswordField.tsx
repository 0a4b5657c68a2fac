import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** A field for a password, whose button to show it has a name in the language of the page. */
export function PasswordField(props: PasswordInputProps) {
  const t = useTranslations('passwordField');
  return <PasswordInput size="md" visibilityToggleButtonProps={{ 'aria-label': t('toggle') }} {...props} />;
}
