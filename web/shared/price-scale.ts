import type { EventPricesView } from '../../contract/events.js';
import { day, percentText } from './format.js';

export type PricePoints = EventPricesView['points'];

/** Places times and prices in a drawing of this size, with the highest price on top. */
export interface PriceScale {
  readonly x: (at: string) => number;
  /** @param price 0..1 */
  readonly y: (price: number) => number;
}

export const chartWidth = 640;
export const chartHeight = 200;

/** @param times ISO 8601; the first and the last of them are the edges */
export function priceScale(times: readonly string[]): PriceScale {
  const moments = times.map(at => Date.parse(at));
  const first = Math.min(...moments);
  const length = Math.max(1, Math.max(...moments) - first);
  return {
    x: at => round(((Date.parse(at) - first) / length) * chartWidth),
    y: price => round((1 - price) * chartHeight),
  };
}

/** The path of an SVG line. A price holds until the next one. */
export function pricePath(points: PricePoints, { x, y }: PriceScale): string {
  return points
    .map(({ at, yes_price: price }, index) =>
      index === 0 ? `M${x(at)} ${y(price)}` : `H${x(at)}V${y(price)}`,
    )
    .join('');
}

/** "From 36 % on 1 Feb 2031 to 42 % on 1 Mar 2031; lowest 35 %, highest 44 %." */
export function priceSummary(points: PricePoints): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return '';
  const prices = points.map(({ yes_price: price }) => price);
  const span = `From ${priceOn(first)} to ${priceOn(last)}`;
  return `${span}; lowest ${percent(Math.min(...prices))}, highest ${percent(Math.max(...prices))}.`;
}

/**
 * "Since the report, the price rose from 42 % to 47 %." Null if no price came after it.
 * @param market the market's probability at the report, in percent; null if there was no price
 */
export function sinceReport(points: PricePoints, madeAt: string, market: number | null): string | null {
  const later = points.filter(({ at }) => Date.parse(at) > Date.parse(madeAt));
  const before = points.filter(({ at }) => Date.parse(at) <= Date.parse(madeAt)).at(-1);
  const from = market ?? (before === undefined ? null : before.yes_price * 100);
  const last = later.at(-1);
  if (last === undefined || from === null) return null;
  const to = last.yes_price * 100;
  const [was, is] = [percentText(from), percentText(to)];
  if (was === is) return `Since the report, the price has not changed on balance: ${is}.`;
  return `Since the report, the price ${to > from ? 'rose' : 'fell'} from ${was} to ${is}.`;
}

const percent = (price: number) => percentText(price * 100);

const priceOn = ({ at, yes_price: price }: PricePoints[number]) => `${percent(price)} on ${day(at)}`;

const round = (value: number) => Math.round(value * 10) / 10;
