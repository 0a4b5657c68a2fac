import { Button } from '@mantine/core';
import SignaturePad from 'signature_pad';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslations } from 'use-intl';
import classes from './DrawPad.module.css';
import { paper } from './SignaturePicture.tsx';

type Props = {
  /** The drawing as a PNG data URL. */
  value: string | undefined;
  onChange: (drawn: string | undefined) => void;
  /** Switches to typing, for users who cannot draw. */
  onType: () => void;
};

const white = 'rgb(255, 255, 255)';
const ink = 'rgb(20, 30, 60)';
const height = 170;

/** A drawing canvas as wide as its container. */
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
    // A resize keeps the drawing.
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

/** A canvas to sign on with a finger, a pen or a mouse. */
export function DrawPad({ value, onChange, onType }: Props) {
  const t = useTranslations('signature');
  const { canvas, clear } = useSheet(onChange);
  return (
    <div>
      <canvas
        ref={canvas}
        style={{ ...paper, border: '1px solid var(--input-line)', width: '100%', height, touchAction: 'none' }}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the canvas is a drawing area
        role="img"
        aria-label={t('sheet')}
      />
      <div className={classes['tools']}>
        <output className="muted">{t(value === undefined ? 'nothingDrawn' : 'isDrawn')}</output>
        <span>
          <Button variant="subtle" size="sm" onClick={onType}>
            {t('typeInstead')}
          </Button>
          <Button variant="default" size="sm" onClick={clear} disabled={value === undefined}>
            {t('clear')}
          </Button>
        </span>
      </div>
    </div>
  );
}

/** Resizes the canvas to the device's pixels and keeps its drawing. */
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
