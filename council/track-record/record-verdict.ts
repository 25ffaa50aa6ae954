import type { BetFigures, PairedDifference } from './figures.js';

/** Required for a comparison: over 30 events, a hit rate of 60 % is uncertain by ±17 points. */
export const verdictEventsMin = 30;

/**
 * States in words what the figures show and what they do not. The comparison covers only events on which the
 * market had a price.
 */
export function trackRecordVerdict(difference: PairedDifference, bets: BetFigures): string {
  return [comparison(difference), ...returns(difference, bets), caveat].join(' ');
}

const caveat =
  'Reports of one event count as one piece of evidence. None of this says how any single forecast will turn out.';

function comparison({ n, events, interval_95: interval }: PairedDifference): string {
  if (events < verdictEventsMin || interval === null) {
    return (
      `Still collecting: ${counted(events, 'event')} graded with a market price, and ${verdictEventsMin} are needed ` +
      'to compare council and market. Until then, no figure shows skill or the lack of it.'
    );
  }
  const [low, high] = interval;
  const over = `over ${counted(n, 'report')} of ${counted(events, 'event')}`;
  if (low <= 0 && high >= 0) {
    return (
      `The council is not distinguishable from the market ${over}: the 95 % interval of the difference of their ` +
      'Brier scores spans 0. This does not show that the council beats the market, nor that it is as good.'
    );
  }
  const direction = high < 0 ? 'better' : 'worse';
  return (
    `The council's Brier score was ${direction} than the market's ${over}: the 95 % interval of the difference does ` +
    'not span 0. It covers only chance in these events; other kinds of events may differ.'
  );
}

/** A return is always published with its uncertainty. */
function returns({ events }: PairedDifference, { n, interval_95: interval }: BetFigures): string[] {
  if (n === 0 || events < verdictEventsMin) return [];
  const excludesZero = interval !== null && (interval[0] > 0 || interval[1] < 0);
  return excludesZero
    ? [`The mean return of ${counted(n, 'bet')} is for small stakes at the prices named.`]
    : [`The mean return of ${counted(n, 'bet')} is not distinguishable from 0.`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
