import type { Resolution } from '../../council/event.js';
import { otherOutcome } from '../../council/method.js';
import { compareText } from '../../council/text.js';
import type { GradableOutcome, GradableRow, Numbers } from './gradable-row.js';

/** How one outcome of an event ended, as a file says it. */
export interface Answer {
  /** The name of the outcome, or the id of its market. */
  readonly outcome: string;
  readonly resolution: Resolution;
  /** What a share of the outcome paid, 0 to 1, if it is neither YES nor NO and that is known. */
  readonly paid: number | null;
  /** Null if the file does not say. */
  readonly was_disputed: boolean | null;
  readonly rules_changed: boolean | null;
  /** The outcome's price a day before the event closed, 0 to 1. */
  readonly market_at_close_1d: number | null;
}

/** An answer that says nothing but how an outcome ended. */
export function answerOf(outcome: string, resolution: Resolution, paid: number | null = null): Answer {
  return {
    outcome,
    resolution,
    paid: resolution === 'fifty_fifty' ? half : paid,
    was_disputed: null,
    rules_changed: null,
    market_at_close_1d: null,
  };
}

const half = 0.5;

/** How what a share of YES paid reads as a resolution. */
export function answerByShare(outcome: string, paid: number): Answer {
  if (paid === 1) return answerOf(outcome, 'yes');
  if (paid === 0) return answerOf(outcome, 'no');
  return answerOf(outcome, paid === half ? 'fifty_fifty' : 'void', paid);
}

/**
 * Outcomes whose markets are known by their names alone. Two of which one happens are the two sides of one market. `Any
 * other` has none.
 */
export function outcomesOf(names: readonly string[], exclusive: boolean): GradableOutcome[] {
  const other = exclusive ? otherOutcome : null;
  const [first, second, ...more] = [...names].sort(compareText);
  const isPair = exclusive && more.length === 0 && !names.includes(otherOutcome);
  if (!isPair || first === undefined || second === undefined)
    return names.map(name => ({ name, market_id: name === other ? null : name, side: 'yes' }));
  const no = first.toLowerCase() === 'no' ? first : second;
  const yes = no === first ? second : first;
  return names.map(name => ({ name, market_id: yes, side: name === no ? 'no' : 'yes' }));
}

/** The outcome that an answer names; `Any other` for what it does not list. Undefined if the row has none of them. */
export function answeredOutcome(
  { outcomes }: Pick<GradableRow, 'outcomes'>,
  named: string,
): GradableOutcome | undefined {
  return (
    outcomes.find(({ name }) => name === named) ??
    outcomes.find(({ market_id }) => market_id === named) ??
    outcomes.find(({ market_id }) => market_id === null)
  );
}

/**
 * The row as these answers have it. What they do not name keeps its resolution, except on an exclusive set of which they
 * name the outcome that happened. Two answers about one market that contradict each other leave it disputed.
 *
 * @param answers each names an outcome of the row (`answeredOutcome`)
 */
export function withAnswers(row: GradableRow, answers: readonly Answer[]): GradableRow {
  const hasWinner = row.exclusive && answers.some(({ resolution }) => resolution === 'yes');
  const answered: Record<string, Resolution> = {};
  const paid: Record<string, number> = {};
  for (const answer of answers) {
    const { market, isNo } = marketOf(row, answer);
    const resolution = isNo ? opposite(answer.resolution) : answer.resolution;
    answered[market] = (answered[market] ?? resolution) === resolution ? resolution : 'disputed';
    if (answer.paid !== null) paid[market] = isNo ? 1 - answer.paid : answer.paid;
  }
  const kept = Object.entries(row.paid).filter(([market]) => answered[market] === undefined);
  return {
    ...row,
    resolutions: { ...(hasWinner ? {} : row.resolutions), ...answered },
    paid: { ...Object.fromEntries(kept), ...paid },
    market_at_close_1d: closingPrices(row, answers),
    disputed: anyOf(answers.map(answer => answer.was_disputed)) ?? row.disputed,
    rules_changed: anyOf(answers.map(answer => answer.rules_changed)) ?? row.rules_changed,
  };
}

/** `isNo`: the answer speaks of the NO of the market. */
function marketOf(row: GradableRow, { outcome }: Answer): { market: string; isNo: boolean } {
  const found = answeredOutcome(row, outcome);
  return { market: found?.market_id ?? outcome, isNo: found?.name === outcome && found.side === 'no' };
}

function opposite(resolution: Resolution): Resolution {
  if (resolution === 'yes') return 'no';
  return resolution === 'no' ? 'yes' : resolution;
}

function closingPrices(row: GradableRow, answers: readonly Answer[]): Numbers | null {
  const priced = answers.flatMap(answer =>
    answer.market_at_close_1d === null
      ? []
      : [{ ...marketOf(row, answer), price: answer.market_at_close_1d }],
  );
  if (priced.length === 0) return row.market_at_close_1d;
  return row.outcomes.map(({ market_id, side }, index) => {
    const known = priced.find(({ market }) => market === market_id);
    if (known === undefined) return row.market_at_close_1d?.[index] ?? null;
    return known.isNo === (side === 'no') ? known.price : 1 - known.price;
  });
}

/** Null if none of them says. */
function anyOf(said: readonly (boolean | null)[]): boolean | null {
  return said.every(one => one === null) ? null : said.includes(true);
}
