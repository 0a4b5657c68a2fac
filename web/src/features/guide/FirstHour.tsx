import { Button, Group, Paper, Progress, Stack, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useChangePreferences } from '../../api/preferences.ts';
import { useToast } from '../../ui/toasts.tsx';
import classes from './guide.module.css';
import { useGuideSteps, type GuideStep } from './use-guide-steps.ts';

type Props = {
  /** Called once it is known whether there is something to show. */
  onKnown: () => void;
};

/** The first steps of Admin and HR in a new installation, until they are done. */
export function FirstHour({ onKnown }: Props) {
  const t = useTranslations('guide');
  const toast = useToast();
  const change = useChangePreferences();
  const { steps, isPending } = useGuideSteps();
  useEffect(() => {
    if (!isPending) onKnown();
  }, [isPending, onKnown]);
  const done = steps?.filter(({ isDone }) => isDone).length ?? 0;
  if (!steps || steps.length < 2 || done === steps.length) return null;
  const dismiss = () => {
    change({ guide: 'dismissed' });
    toast({ text: t('dismissed'), undo: () => change({ guide: null }) });
  };
  return (
    <Paper component="section" aria-labelledby="guide-title" withBorder radius="lg" p={18}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} id="guide-title">
            {t('title')}
          </Title>
          <p className="muted">{t('progress', { done, count: steps.length })}</p>
        </div>
        <Button variant="subtle" size="compact-sm" onClick={dismiss}>
          {t('dismiss')}
        </Button>
      </Group>
      <Progress value={(done / steps.length) * 100} size={4} mt={8} aria-hidden />
      <Stack component="ol" gap={2} mt={10} className={classes['steps'] ?? ''}>
        {steps.map((step) => (
          <Step key={step.key} step={step} isNext={step === steps.find(({ isDone }) => !isDone)} />
        ))}
      </Stack>
    </Paper>
  );
}

function Step({ step: { key, to, isDone }, isNext }: { step: GuideStep; isNext: boolean }) {
  const t = useTranslations('guide');
  return (
    <li className={classes['step']} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      {isDone ? (
        <IconCircleCheckFilled size={20} color="var(--good-fg)" aria-hidden />
      ) : (
        <IconCircle size={20} stroke={1.6} color="var(--ink-2)" aria-hidden />
      )}
      <div className={classes['text']}>
        <Link to={to}>{t(`step.${key}.title`)}</Link>
        {isDone && <span className="visually-hidden"> {t('done')}</span>}
        {!isDone && <p className="muted">{t(`step.${key}.text`)}</p>}
      </div>
    </li>
  );
}
