import { Button } from '@mantine/core';
import SignaturePad from 'signature_pad';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { paper } from './SignaturePicture.tsx';

type Props = {
  /** What is drawn, as a PNG in a data address. */
  value: string | undefined;
  onChange: (drawn: string | undefined) => void;
  /** Goes on by typing, for whoever cannot draw. */
  onType: () => void;
};

const white = 'rgb(255, 255, 255)';
const ink = 'rgb(20, 30, 60)';
const height = 170;

/** A canvas that is drawn on, as wide as its place. */
function useSheet(onChange: Props['onChange']) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const pad = useRef<SignaturePad>(undefined);
  const drawn = useEffectEvent(() => onChange(pad.current?.toDataURL('image/png')));
  const emptied = useEffectEvent(() => onChange(undefined));
  useEffect(() => {
    const sheet = canvas.current;
    if (!sheet) return undefined;
    const made = new SignaturePad(sheet, { backgroundColor: white, penColor: ink });
    pad.current = made;
    const end = () => drawn();
    made.addEventListener('endStroke', end);
    // What was drawn on a sheet of another width stays as it was.
    const observer = new ResizeObserver(() => fit(sheet, made));
    fit(sheet, made);
    emptied();
    observer.observe(sheet);
    return () => {
      observer.disconnect();
      made.removeEventListener('endStroke', end);
      made.off();
    };
  }, []);
  const clear = () => {
    pad.current?.clear();
    onChange(undefined);
  };
  return { canvas, clear };
}

/** A sheet to sign on with a finger, a pen or a mouse. */
export function DrawPad({ value, onChange, onType }: Props) {
  const t = useTranslations('signature');
  const { canvas, clear } = useSheet(onChange);
  return (
    <div>
      <canvas
        ref={canvas}
        style={{ ...paper, width: '100%', height, touchAction: 'none' }}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a sheet is drawn on
        role="img"
        aria-label={t('sheet')}
      />
      <div style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 8, marginTop: 6 }}>
        <output className="muted">{t(value === undefined ? 'nothingDrawn' : 'isDrawn')}</output>
        <span>
          <Button variant="subtle" size="compact-sm" onClick={onType}>
            {t('typeInstead')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={clear} disabled={value === undefined}>
            {t('clear')}
          </Button>
        </span>
      </div>
    </div>
  );
}

/** Gives the sheet as many points as the screen has, with what was drawn on it. */
function fit(sheet: HTMLCanvasElement, pad: SignaturePad): void {
  const ratio = Math.min(2, Math.max(1, window.devicePixelRatio));
  const width = Math.round(sheet.offsetWidth * ratio);
  if (sheet.width === width && sheet.height === height * ratio) return;
  const strokes = pad.toData();
  sheet.width = width;
  sheet.height = height * ratio;
  sheet.getContext('2d')?.scale(ratio, ratio);
  pad.clear();
  pad.fromData(strokes);
}
