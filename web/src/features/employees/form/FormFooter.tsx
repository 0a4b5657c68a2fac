import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { paths } from '../../../paths.ts';
import type { Step } from '../search.ts';
import classes from './NewEmployeePage.module.css';

type Props = {
  step: Step;
  isPending: boolean;
  cancel: typeof paths.peopleWaiting | typeof paths.employees;
  onBack: () => void;
  onAnother: (() => void) | undefined;
};

/** The buttons below a step of the form. */
export function FormFooter({ step, isPending, cancel, onBack, onAnother }: Props) {
  const t = useTranslations('addPerson');
  return (
    <Group className={classes['foot']} justify="flex-end" gap={8} pt={14} pb={20} data-foot>
      <Button component={Link} to={cancel} variant="subtle">
        {t('cancel')}
      </Button>
      {step === 'identity' ? (
        <Button type="submit">{t('next')}</Button>
      ) : (
        <>
          <Button variant="default" onClick={onBack}>
            {t('back')}
          </Button>
          {onAnother && (
            <Button variant="default" disabled={isPending} onClick={onAnother}>
              {t('saveAndAnother')}
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
        </>
      )}
    </Group>
  );
}
