/** An axis of percents from 0, no longer than it has to be: forty long shots are not to be drawn on a tenth of it. */
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
const wholeAxis: PercentAxis = { end: 100, ticks: [0, 25, 50, 75, 100] };

/** The shortest axis that holds all of these. */
export function axisFor(percents: readonly number[]): PercentAxis {
  const highest = Math.max(0, ...percents);
  return axes.find(({ end }) => end >= highest) ?? wholeAxis;
}

/** Room for half a mark at either end, in percent of the width. */
const margin = 2;

/** Where a percent stands on the axis, as an SVG length. */
export function placeOn({ end }: PercentAxis, percent: number): string {
  const place = margin + (percent / end) * (100 - 2 * margin);
  return `${Number(place.toFixed(3))}%`;
}
