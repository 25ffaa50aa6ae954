import type { Comparison } from './comparison.js';
import { aroundZero } from './format-figures.js';

interface IntervalPlotProps {
  readonly mean: number | null;
  /** The interval for one look at the figure; drawn thick. */
  readonly interval: Ends;
  /** Holds however often the figure is looked at; drawn thin. The comparison follows it. */
  readonly sequence: Ends;
  readonly reach: number;
  readonly comparison: Comparison;
}

type Ends = readonly [low: number, high: number] | null;

const margin = 3;

/** A mean, its interval and its sequence around zero. The numbers are next to it for screen readers. */
export function IntervalPlot({ mean, interval, sequence, reach, comparison }: IntervalPlotProps) {
  const place = aroundZero(reach, margin);
  const x = (value: number) => `${place(value)}%`;
  return (
    <svg className={`interval ${comparison}`} aria-hidden="true">
      <line className="axis" x1="0%" x2="100%" y1="50%" y2="50%" />
      <line className="zero" x1="50%" x2="50%" y1="0%" y2="100%" />
      {sequence === null ? null : (
        <line className="sequence" x1={x(sequence[0])} x2={x(sequence[1])} y1="50%" y2="50%" />
      )}
      {interval === null ? null : (
        <line className="spread" x1={x(interval[0])} x2={x(interval[1])} y1="50%" y2="50%" />
      )}
      {mean === null ? null : <circle className="mean" cx={x(mean)} cy="50%" r="5" />}
    </svg>
  );
}

interface AxisProps {
  readonly reach: number;
  readonly format: (value: number) => string | null;
  /** Meaning of the values below and above zero. */
  readonly sides: readonly [below: string, above: string];
}

/** The axis above a column of interval plots. */
export function IntervalAxis({ reach, format, sides: [below, above] }: AxisProps) {
  return (
    <span className="interval-axis" aria-hidden="true">
      <span className="sides">
        <span>← {below}</span>
        <span>{above} →</span>
      </span>
      <span className="ends">
        <span>{format(-reach)}</span>
        <span>0</span>
        <span>{format(reach)}</span>
      </span>
    </span>
  );
}
