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

/**
 * A line chart of totals above bars of additions and removals. The pointer moves from point to point, and so do the
 * arrow keys, through an invisible slider.
 */
export function Trend({ label, names, points }: Props) {
  const format = useFormatter();
  const phone = usePhone();
  const [at, setAt] = useState(points.length - 1);
  const chosen = points[Math.min(at, points.length - 1)];
  const textOf = (point: TrendPoint) =>
    `${point.name}: ${names.line} ${format.number(point.line)}, ${names.up} ${format.number(point.up)}, ${names.down} ${format.number(point.down)}`;
  return (
    <div className={classes['chart']}>
      <Series names={names} />
      <div dir="ltr" className={classes['steered']}>
        <Drawing points={points} plot={plotOf(points, phone)} chosen={chosen} onChoose={setAt} />
        <input
          type="range"
          className={classes['steering']}
          aria-label={label}
          aria-valuetext={chosen && textOf(chosen)}
          min={0}
          max={Math.max(0, points.length - 1)}
          value={Math.min(at, points.length - 1)}
          onChange={(event) => setAt(Number(event.currentTarget.value))}
        />
      </div>
      <output>{chosen && <bdi>{textOf(chosen)}</bdi>}</output>
    </div>
  );
}

/** The legend. */
function Series({ names }: Pick<Props, 'names'>) {
  const series = [
    { name: names.line, colour: 'var(--series-1)' },
    { name: names.up, colour: 'var(--series-5)' },
    { name: names.down, colour: 'var(--series-4)' },
  ];
  return (
    <ul className={classes['head']} aria-hidden>
      {series.map(({ name, colour }) => (
        <li key={name} className={classes['value']}>
          <span style={{ color: colour }}>{'■'}</span>
          {name}
        </li>
      ))}
    </ul>
  );
}

type Plot = ReturnType<typeof plotOf>;

/** The coordinates of the drawing, in its own units. */
function plotOf(points: readonly TrendPoint[], phone: boolean) {
  const width = phone ? 360 : 960;
  const step = (width - left - 8) / Math.max(1, points.length);
  const scale = niceSteps(points.map(({ line }) => line));
  return {
    width,
    step,
    steps: scale.steps,
    zero: top + lineHeight + gap + barHeight,
    most: Math.max(1, ...points.flatMap(({ up, down }) => [up, down])),
    last: points.length - 1,
    /** Every nth point has a label below. */
    every: Math.ceil(points.length / (phone ? 4 : 12)),
    x: (index: number) => left + step * (index + 0.5),
    y: (value: number) => top + lineHeight - (lineHeight * (value - scale.from)) / (scale.to - scale.from),
  };
}

type DrawingProps = {
  points: readonly TrendPoint[];
  plot: Plot;
  chosen: TrendPoint | undefined;
  onChoose: (index: number) => void;
};

function Drawing({ points, plot, chosen, onChoose }: DrawingProps) {
  const format = useFormatter();
  const { width, x, y, zero } = plot;
  const line = points.map((point, index) => `${x(index)},${y(point.line)}`).join(' ');
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes['plot']} aria-hidden fontSize="12" fill="var(--ink-2)">
      {plot.steps.map((value) => (
        <g key={value}>
          <line x1={left} x2={width} y1={y(value)} y2={y(value)} stroke="var(--line)" />
          <text x={left - 8} y={y(value) + 4} textAnchor="end">
            {format.number(value)}
          </text>
        </g>
      ))}
      <polyline points={line} fill="none" stroke="var(--series-1)" strokeWidth="2.5" strokeLinejoin="round" />
      <line x1={left} x2={width} y1={zero} y2={zero} stroke="var(--line-strong)" />
      {points.map((point, index) => (
        <Point
          key={point.key}
          point={point}
          index={index}
          plot={plot}
          isChosen={point === chosen}
          onChoose={() => onChoose(index)}
        />
      ))}
    </svg>
  );
}

type PointProps = { point: TrendPoint; index: number; plot: Plot; isChosen: boolean; onChoose: () => void };

/** The bars of one point, and its label if there is room. */
function Point({ point, index, plot, isChosen, onChoose }: PointProps) {
  const { width, step, zero, last, x, y } = plot;
  const barOf = (count: number) => (barHeight * count) / plot.most;
  return (
    <g onPointerEnter={onChoose} onPointerDown={onChoose}>
      <rect
        x={x(index) - step / 2}
        y={0}
        width={step}
        height={height}
        fill={isChosen ? 'var(--hover)' : 'transparent'}
      />
      <rect
        x={x(index) - step * 0.32}
        y={zero - barOf(point.up)}
        width={step * 0.64}
        height={barOf(point.up)}
        fill="var(--series-5)"
      />
      <rect x={x(index) - step * 0.32} y={zero} width={step * 0.64} height={barOf(point.down)} fill="var(--series-4)" />
      {isChosen && <circle cx={x(index)} cy={y(point.line)} r="4.5" fill="var(--series-1)" />}
      {(last - index) % plot.every === 0 && (
        <text x={index === last ? width : x(index)} y={height - 4} textAnchor={index === last ? 'end' : 'middle'}>
          {point.short}
        </text>
      )}
    </g>
  );
}
