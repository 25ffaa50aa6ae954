import type { CalibrationBinView } from '../../../contract/track-record.js';
import { fromZeroToOne, radiusOf } from './scale.js';

const across = fromZeroToOne(11, 97);
const up = fromZeroToOne(92, 3);
const x = (value: number) => `${across(value)}%`;
const y = (value: number) => `${up(value)}%`;
const ticks = [0, 0.25, 0.5, 0.75, 1];

/** Said against happened. The table below it has the same numbers, so it is told in one sentence. */
export function CalibrationPlot({ bins }: { readonly bins: readonly CalibrationBinView[] }) {
  const most = Math.max(0, ...bins.map(({ n }) => n));
  return (
    <svg className="calibration" role="img" aria-labelledby="calibration-said">
      <title id="calibration-said">
        What the council said, against how often it happened. The table after it has every number.
      </title>
      <Grid />
      <line className="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {bins.map(bin => (
        <Bin key={bin.from} bin={bin} most={most} />
      ))}
    </svg>
  );
}

function Grid() {
  return (
    <g className="grid">
      {ticks.map(tick => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
          <text className="along" x={x(tick)} y={y(0)} dy="1.4em" textAnchor="middle">
            {tick * 100}
          </text>
          <text x={x(0)} y={y(tick)} dx="-0.6em" dy="0.35em" textAnchor="end">
            {tick * 100}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bin({ bin, most }: { bin: CalibrationBinView; most: number }) {
  const { n, mean_probability: said, share_happened: happened, interval_95: interval } = bin;
  if (said === null || happened === null) return null;
  return (
    <g className="bin">
      <circle cx={x(said)} cy={y(happened)} r={radiusOf(n, most)} />
      {interval === null ? null : <line x1={x(said)} x2={x(said)} y1={y(interval[0])} y2={y(interval[1])} />}
    </g>
  );
}
