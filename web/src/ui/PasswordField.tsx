import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** A password input whose reveal button is labelled in the language of the page. */
export function PasswordField(props: PasswordInputProps) {
  const t = useTranslations('passwordField');
  return <PasswordInput size="md" visibilityToggleButtonProps={{ 'aria-label': t('toggle') }} {...props} />;
}
