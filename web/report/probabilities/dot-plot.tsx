import type { NumberName } from '../../../contract/report-text/estimate-text.js';
import type { DistributionRow } from './distribution-rows.js';
import { type PercentAxis, placeOn } from './percent-axis.js';

const height = 28;
const middle = height / 2;
const memberHalfHeight = 8;
const diamond = 'M0 -7.5 L7 0 L0 7.5 L-7 0 Z';
/** Points down, and is placed above the other marks, which it would cover otherwise. */
const triangle = 'M0 0 L5 -8 L-5 -8 Z';

/** Council, market, estimate and members on one axis. The table has the same numbers for screen readers. */
export function DotPlot({ row, axis }: { readonly row: DistributionRow; readonly axis: PercentAxis }) {
  const at = (percent: number) => placeOn(axis, percent);
  return (
    <svg className="dots" height={height} aria-hidden="true">
      {axis.ticks.map(tick => (
        <line key={tick} className="grid" x1={at(tick)} x2={at(tick)} y1="0" y2={height} />
      ))}
      {row.market === null ? null : (
        <line className="gap" x1={at(row.council)} x2={at(row.market)} y1={middle} y2={middle} />
      )}
      {row.members.map((member, index) => (
        <line
          key={index}
          className="member"
          x1={at(member)}
          x2={at(member)}
          y1={middle - memberHalfHeight}
          y2={middle + memberHalfHeight}
        />
      ))}
      {row.market === null ? null : (
        <svg x={at(row.market)} y={middle} overflow="visible">
          <path className="market" d={diamond} />
        </svg>
      )}
      <circle className="council" cx={at(row.council)} cy={middle} r="6.5" />
      {row.estimate === null ? null : (
        <svg x={at(row.estimate)} y={middle} overflow="visible">
          <path className="estimate" d={triangle} />
        </svg>
      )}
    </svg>
  );
}

/** The axis above a column of dot plots. */
export function DotAxis({ axis }: { readonly axis: PercentAxis }) {
  return (
    <svg className="dots-axis" height="16" aria-hidden="true">
      {axis.ticks.map(tick => (
        <text key={tick} x={placeOn(axis, tick)} y="12" textAnchor="middle">
          {tick}
        </text>
      ))}
    </svg>
  );
}

/** A mark for the legend. */
export function LegendMark({ of }: { readonly of: NumberName | 'member' }) {
  return (
    <svg className="dots-mark" width="16" height="18" viewBox="-8 -9 16 18" aria-hidden="true">
      {of === 'council' ? <circle className="council" r="6.5" /> : null}
      {of === 'market' ? <path className="market" d={diamond} /> : null}
      {of === 'estimate' ? <path className="estimate" d={triangle} transform="translate(0 4)" /> : null}
      {of === 'member' ? <line className="member" y1={-memberHalfHeight} y2={memberHalfHeight} /> : null}
    </svg>
  );
}
