import { Group, UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useLocaleChoice } from '../../locales/locale.tsx';
import { locales } from '../../locales/locales.ts';
import classes from './SignInPage.module.css';

/** The language for a user who is not signed in. */
export function LanguageChoice() {
  const t = useTranslations('nav');
  const { locale, choose } = useLocaleChoice();
  return (
    <Group
      className={classes['languages'] ?? ''}
      gap={4}
      fz="sm"
      aria-label={t('language')}
      renderRoot={(props) => <ul {...props} />}
    >
      {locales.map(({ id, name }) => (
        <li key={id}>
          <UnstyledButton lang={id} aria-pressed={id === locale} onClick={() => void choose(id)}>
            {name}
          </UnstyledButton>
        </li>
      ))}
    </Group>
  );
}
