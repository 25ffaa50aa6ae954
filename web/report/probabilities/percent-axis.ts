/** An axis from 0 to just above the highest value, so that small values stay distinguishable. */
export interface PercentAxis {
  readonly end: number;
  readonly ticks: readonly number[];
}

const axes: readonly PercentAxis[] = [
  { end: 5, ticks: [0, 1, 2, 3, 4, 5] },
  { end: 10, ticks: [0, 2, 4, 6, 8, 10] },
  { end: 20, ticks: [0, 5, 10, 15, 20] },
  { end: 30, ticks: [0, 10, 20, 30] },
  { end: 40, ticks: [0, 10, 20, 30, 40] },
  { end: 60, ticks: [0, 20, 40, 60] },
  { end: 80, ticks: [0, 20, 40, 60, 80] },
];
const fullAxis: PercentAxis = { end: 100, ticks: [0, 25, 50, 75, 100] };

/** The shortest axis that contains all values. */
export function axisFor(percents: readonly number[]): PercentAxis {
  const highest = Math.max(0, ...percents);
  return axes.find(({ end }) => end >= highest) ?? fullAxis;
}

/** Space for half a mark at each end, in percent of the width. */
const margin = 2;

/** Position of a value on the axis, as an SVG length. */
export function placeOn({ end }: PercentAxis, percent: number): string {
  const place = margin + (percent / end) * (100 - 2 * margin);
  return `${Number(place.toFixed(3))}%`;
}
