import type { BetFigures } from './bet-figures.js';
import type { EventMean } from './event-mean.js';

/** Required for a comparison: over 30 events, a hit rate of 60 % is uncertain by ±17 points. */
export const verdictEventsMin = 30;

interface VerdictFigures {
  /** Council − market, on events on which the market had a price. */
  readonly paired_difference: EventMean;
  /** Estimate − market. */
  readonly estimate_difference: EventMean;
  readonly bets: BetFigures;
}

/**
 * States in words what the figures show and what they do not. It follows the confidence sequences, because the record
 * is published again every hour: a fixed interval that is looked at that often finds a difference in two of five
 * records that have none.
 */
export function trackRecordVerdict(figures: VerdictFigures): string {
  const { paired_difference: difference, estimate_difference: estimate, bets } = figures;
  return [
    councilSentence(difference),
    ...estimateSentence(estimate),
    ...returns(difference, bets),
    caveat,
  ].join(' ');
}

const caveat =
  'Each event counts once, however many reports were made on it, and the sequences may be looked at at any time. ' +
  'None of this says how any single forecast will turn out.';

type Comparison = 'collecting' | 'not_distinguishable' | 'better' | 'worse';

function compare({ events, confidence_sequence_95: sequence }: EventMean): Comparison {
  if (events < verdictEventsMin || sequence === null) return 'collecting';
  const [low, high] = sequence;
  if (low <= 0 && high >= 0) return 'not_distinguishable';
  return high < 0 ? 'better' : 'worse';
}

function councilSentence(difference: EventMean): string {
  const comparison = compare(difference);
  const over = overOf(difference);
  switch (comparison) {
    case 'collecting':
      return (
        `Still collecting: ${counted(difference.events, 'event')} graded with a market price, and ${verdictEventsMin} are ` +
        'needed to compare council and market. Until then, no figure shows skill or the lack of it.'
      );
    case 'not_distinguishable':
      return (
        `The council is not distinguishable from the market ${over}: the 95 % confidence sequence of the difference of ` +
        'their Brier scores spans 0. This does not show that the council beats the market, nor that it is as good.'
      );
    case 'better':
    case 'worse':
      return (
        `The council's Brier score was ${comparison} than the market's ${over}: the 95 % confidence sequence of the ` +
        'difference does not span 0. It covers only chance in these events; other kinds of events may differ.'
      );
  }
}

/** There is none without estimates. */
function estimateSentence(difference: EventMean): string[] {
  const comparison = compare(difference);
  if (difference.n === 0) return [];
  switch (comparison) {
    case 'collecting':
      return [
        `The estimate of both is graded on ${counted(difference.events, 'event')}: too few to compare it.`,
      ];
    case 'not_distinguishable':
      return [`The estimate of both is not distinguishable from the market ${overOf(difference)}.`];
    case 'better':
    case 'worse':
      return [
        `The Brier score of the estimate of both was ${comparison} than the market's ${overOf(difference)}.`,
      ];
  }
}

/** A return is always published with its uncertainty. */
function returns({ events }: EventMean, { n, confidence_sequence_95: sequence }: BetFigures): string[] {
  if (n === 0 || events < verdictEventsMin) return [];
  const excludesZero = sequence !== null && (sequence[0] > 0 || sequence[1] < 0);
  return excludesZero
    ? [`The mean return of ${counted(n, 'bet')} is for small stakes at the prices named.`]
    : [`The mean return of ${counted(n, 'bet')} is not distinguishable from 0.`];
}

function overOf({ n, events }: EventMean): string {
  return `over ${counted(n, 'report')} of ${counted(events, 'event')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
