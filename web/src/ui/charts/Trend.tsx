import { useState } from 'react';
import { useFormatter } from 'use-intl';
import { usePhone } from '../use-phone.ts';
import classes from './charts.module.css';
import { niceSteps } from './scale.ts';

export type TrendPoint = { key: string; name: string; short: string; line: number; up: number; down: number };
type Props = {
  label: string;
  names: { line: string; up: string; down: string };
  points: readonly TrendPoint[];
};

const [top, lineHeight, gap, barHeight, left] = [12, 150, 26, 34, 44];
const height = top + lineHeight + gap + 2 * barHeight + 24;

/** A line of how many there are, and below it what came and went; a slider goes from point to point. */
export function Trend({ label, names, points }: Props) {
  const format = useFormatter();
  const phone = usePhone();
  const [at, setAt] = useState(points.length - 1);
  const width = phone ? 360 : 960;
  const step = (width - left - 8) / Math.max(1, points.length);
  const x = (place: number) => left + step * (place + 0.5);
  const scale = niceSteps(points.map(({ line }) => line));
  const y = (value: number) => top + lineHeight - (lineHeight * (value - scale.from)) / (scale.to - scale.from);
  const most = Math.max(1, ...points.flatMap(({ up, down }) => [up, down]));
  const zero = top + lineHeight + gap + barHeight;
  const every = Math.ceil(points.length / (phone ? 4 : 12));
  const line = points.map((point, place) => `${x(place)},${y(point.line)}`).join(' ');
  const chosen = points[Math.min(at, points.length - 1)];
  const said = (point: TrendPoint) =>
    `${point.name}: ${names.line} ${format.number(point.line)}, ${names.up} ${format.number(point.up)}, ${names.down} ${format.number(point.down)}`;
  const series = [
    { name: names.line, colour: 'var(--series-1)' },
    { name: names.up, colour: 'var(--series-5)' },
    { name: names.down, colour: 'var(--series-4)' },
  ];
  return (
    <div className={classes['chart']}>
      <ul className={classes['head']} aria-hidden>
        {series.map(({ name, colour }) => (
          <li key={name} className={classes['value']}>
            <span style={{ color: colour }}>{'■'}</span>
            {name}
          </li>
        ))}
      </ul>
      <div dir="ltr">
        <svg
          viewBox={`0 0 ${width} ${height}`}
          className={classes['plot']}
          aria-hidden
          fontSize="12"
          fill="var(--ink-2)"
        >
          {scale.steps.map((value) => (
            <g key={value}>
              <line x1={left} x2={width} y1={y(value)} y2={y(value)} stroke="var(--line)" />
              <text x={left - 8} y={y(value) + 4} textAnchor="end">
                {format.number(value)}
              </text>
            </g>
          ))}
          <polyline points={line} fill="none" stroke="var(--series-1)" strokeWidth="2.5" strokeLinejoin="round" />
          <line x1={left} x2={width} y1={zero} y2={zero} stroke="var(--line-strong)" />
          {points.map((point, place) => (
            <g key={point.key} onPointerEnter={() => setAt(place)} onPointerDown={() => setAt(place)}>
              <rect
                x={x(place) - step / 2}
                y={0}
                width={step}
                height={height}
                fill={point === chosen ? 'var(--hover)' : 'transparent'}
              />
              <rect
                x={x(place) - step * 0.32}
                y={zero - (barHeight * point.up) / most}
                width={step * 0.64}
                height={(barHeight * point.up) / most}
                fill="var(--series-5)"
              />
              <rect
                x={x(place) - step * 0.32}
                y={zero}
                width={step * 0.64}
                height={(barHeight * point.down) / most}
                fill="var(--series-4)"
              />
              {point === chosen && <circle cx={x(place)} cy={y(point.line)} r="4.5" fill="var(--series-1)" />}
              {(points.length - 1 - place) % every === 0 && (
                <text
                  x={place === points.length - 1 ? width : x(place)}
                  y={height - 4}
                  textAnchor={place === points.length - 1 ? 'end' : 'middle'}
                >
                  {point.short}
                </text>
              )}
            </g>
          ))}
        </svg>
        <input
          type="range"
          className={classes['plot']}
          aria-label={label}
          aria-valuetext={chosen && said(chosen)}
          min={0}
          max={Math.max(0, points.length - 1)}
          value={Math.min(at, points.length - 1)}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
        />
      </div>
      <output>{chosen && <bdi>{said(chosen)}</bdi>}</output>
    </div>
  );
}
