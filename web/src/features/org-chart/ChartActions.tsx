import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { download } from '../../ui/download.ts';
import { useToast } from '../../ui/toasts.tsx';
import { drawingOf } from './drawing.ts';
import { useCounts } from './labels.ts';
import { layoutOf } from './layout.ts';
import classes from './OrgChart.module.css';
import { pngOf, svgOf, textMeasure } from './picture.ts';
import type { Branch } from './tree.ts';

type Props = { forest: readonly Branch[]; onCloseAll: () => void };

/** The actions on the chart: print, download as a picture, collapse all. */
export function ChartActions({ forest, onCloseAll }: Props) {
  const t = useTranslations('orgChart');
  const counts = useCounts();
  const drawing = () => drawingOf(layoutOf(forest), textMeasure(), { counts });
  const toast = useToast();
  const asPng = async () => {
    try {
      download(await pngOf(drawing()), fileName(t('title'), 'png'));
    } catch {
      toast({ text: t('pngFailed') });
    }
  };
  const asSvg = () => svgOf(drawing(), t('title'));
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('actions')}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onCloseAll}>{t('closeAll')}</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => window.print()}>{t('print')}</Menu.Item>
          <Menu.Item
            onClick={() => download(new Blob([asSvg()], { type: 'image/svg+xml' }), fileName(t('title'), 'svg'))}
          >
            {t('svg')}
          </Menu.Item>
          <Menu.Item onClick={() => void asPng()}>{t('png')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <OnPaper svg={asSvg} />
    </>
  );
}

const fileName = (title: string, ending: string) =>
  `${title.toLowerCase().replaceAll(' ', '-')}-${new Date().toISOString().slice(0, 10)}.${ending}`;

/** The print view: the whole chart, rendered when printing starts. */
function OnPaper({ svg }: { svg: () => string }) {
  const paper = useRef<HTMLDivElement>(null);
  const draw = useEffectEvent(() => {
    const file = new DOMParser().parseFromString(svg(), 'image/svg+xml');
    paper.current?.replaceChildren(document.importNode(file.documentElement, true));
  });
  const clear = useEffectEvent(() => paper.current?.replaceChildren());
  useEffect(() => {
    const [before, after] = [() => draw(), () => clear()];
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
    };
  }, []);
  return <div ref={paper} className={classes['paper']} aria-hidden />;
}
