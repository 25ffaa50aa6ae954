import type { BetFigures } from './bet-figures.js';
import type { PairedDifference } from './score-summary.js';

/** Fewer events than this carry no comparison: a hit rate of 60 % over 30 is uncertain by 17 points either way. */
export const verdictEventsMin = 30;

/**
 * What the figures show in plain words, and what they do not. The comparison is over events on which the market had
 * a price too, for on the others there is nothing to compare with.
 */
export function trackRecordVerdict(difference: PairedDifference, bets: BetFigures): string {
  return [comparison(difference), ...returns(difference, bets), caveat].join(' ');
}

const caveat =
  'Reports of one event count as one piece of evidence. None of this says how any single forecast will turn out.';

function comparison({ n, events, interval_95: interval }: PairedDifference): string {
  if (events < verdictEventsMin || interval === null) {
    return (
      `Still collecting: ${counted(events, 'event')} graded beside a market price, and ${verdictEventsMin} are ` +
      'needed before council and market are compared. Until then no figure here shows skill or the lack of it.'
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
    'not span 0. It covers chance in these events alone; other kinds of events may turn out otherwise.'
  );
}

/** A return is named only beside its doubt. */
function returns({ events }: PairedDifference, { n, interval_95: interval }: BetFigures): string[] {
  if (n === 0 || events < verdictEventsMin) return [];
  const spansNothing = interval !== null && (interval[0] > 0 || interval[1] < 0);
  return spansNothing
    ? [`The mean return of ${counted(n, 'bet')} is at the prices named, for small stakes.`]
    : [`The mean return of ${counted(n, 'bet')} cannot be told from 0.`];
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
