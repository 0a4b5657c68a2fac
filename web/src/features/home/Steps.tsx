import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import chart from '../../ui/charts/charts.module.css';
import { Block } from '../../figures/Figures.tsx';
import type { Step } from './use-steps.ts';

type Props = { steps: readonly Step[]; noCompany: boolean; people: number | undefined };

/** The next steps of the user as buttons, and what an empty installation still lacks. */
export function Steps({ steps, noCompany, people }: Props) {
  const t = useTranslations('home');
  return (
    <Block title={t('todo')}>
      {(noCompany || people === 0) && <p className="muted">{t(noCompany ? 'noCompany' : 'noPeople')}</p>}
      <div className={chart['head']}>
        {steps.map(({ key, to, icon: Icon }) => (
          <Button key={key} component={Link} to={to} variant="default" leftSection={<Icon size={16} aria-hidden />}>
            {t(key)}
          </Button>
        ))}
      </div>
    </Block>
  );
}
