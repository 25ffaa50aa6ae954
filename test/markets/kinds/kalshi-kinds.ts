import type { EventCategory } from '../../../council/market/event-choice.js';
import type { KalshiStep } from '../../../simulator/venues/kalshi-state.js';

/** A kind of event that Kalshi trades, as the simulator has one, and what its customers read. */
export interface Kind {
  readonly kind: string;
  readonly ticker: string;
  readonly title: string;
  readonly category: EventCategory;
  /** Words that find no other event. */
  readonly words: string;
  readonly exclusive: boolean;
  /** By the suffix of the ticker. */
  readonly markets: Readonly<Record<string, Quote>>;
  /** In the order of the report's outcomes: what every member answers, and what the prices imply, in percent. */
  readonly outcomes: Readonly<Record<string, readonly [council: number, market: number | null]>>;
  /** Each as side, suffix and the cost of a share with its fee; none with the reason that the page and the others give. */
  readonly bets: readonly string[] | Reason;
  readonly ends: readonly Ending[];
  /** The markets whose rules Kalshi changes after the sale, by suffix. */
  readonly newRules: readonly string[];
  /** How the page and the others word the last grade. */
  readonly graded: Told;
  /** What the page of the event says of its markets at the end. */
  readonly ended: readonly string[];
}

/** What a share of YES trades at, in cents. */
export interface Quote {
  readonly yes: string;
  readonly price: number | null;
  readonly bid: number | null;
  readonly ask: number | null;
}

interface Told {
  readonly page: string;
  /** In Markdown, on the command line and over MCP. */
  readonly text: string;
}

export interface Reason {
  readonly none: Told;
}

/** What Kalshi says about markets, and how the report is graded then. */
export interface Ending {
  readonly says: Readonly<Record<string, KalshiStep>>;
  readonly grade: string;
}

type Decided = Exclude<KalshiStep, { status: 'active' | 'closed' }>['status'];

/** The same status of several markets, each with its result. */
function says(status: Decided, results: Readonly<Record<string, 'yes' | 'no'>>): Ending['says'] {
  const value = { yes: '1.0000', no: '0.0000' };
  return Object.fromEntries(
    Object.entries(results).map(([suffix, result]) => [suffix, { status, result, value: value[result] }]),
  );
}

function scalar(suffix: string, value: string): Ending['says'] {
  return { [suffix]: { status: 'finalized', result: 'scalar', value } };
}

/** By suffix, what the last grade of a kind says about each market. */
export function decisions({ ends, newRules }: Pick<Kind, 'ends' | 'newRules'>) {
  const steps = ends.flatMap(({ says }) => Object.entries(says));
  const statuses = (of: string) => steps.flatMap(([suffix, { status }]) => (suffix === of ? [status] : []));
  return Object.fromEntries(
    steps.flatMap(([suffix, step]) => {
      if (!('value' in step) || step.status !== 'finalized') return [];
      const wasDisputed = statuses(suffix).includes('disputed');
      const rulesChanged = newRules.includes(suffix);
      return [[suffix, { by: 'exchange', paid: Number(step.value), wasDisputed, rulesChanged }]];
    }),
  );
}

export const soldKinds: readonly Kind[] = [
  {
    kind: 'binary',
    ticker: 'KXSIMCUT-31MAR',
    title: 'Will the Federal Reserve cut rates in March 2031? (simulated)',
    category: 'economy',
    words: 'federal reserve cut march',
    exclusive: true,
    markets: { YES: { yes: 'Rate cut', price: 42, bid: 41, ask: 43 } },
    outcomes: { 'Rate cut': [25, 42], 'Not Rate cut': [75, 58] },
    bets: ['BUY_NO YES at 0.607'],
    ends: [
      { says: says('determined', { YES: 'yes' }), grade: 'none' },
      { says: says('disputed', { YES: 'yes' }), grade: 'disputed' },
      { says: says('amended', { YES: 'no' }), grade: 'disputed' },
      { says: says('finalized', { YES: 'no' }), grade: 'graded: Not Rate cut' },
    ],
    newRules: [],
    graded: { page: 'It resolved to “Not Rate cut”.', text: 'Outcome: Not Rate cut. Brier score' },
    ended: ['resolved: Not Rate cut'],
  },
  {
    kind: 'exclusive, of which none may win',
    ticker: 'KXSIMCUP-31',
    title: 'Who wins the 2031 Rugby World Cup? (simulated)',
    category: 'sports',
    words: 'who wins rugby',
    exclusive: true,
    markets: {
      RSA: { yes: 'South Africa', price: 31, bid: 30, ask: 32 },
      NZL: { yes: 'New Zealand', price: 26, bid: 25, ask: 27 },
      FRA: { yes: 'France', price: 20, bid: 19, ask: 21 },
    },
    outcomes: {
      France: [15, 20],
      'New Zealand': [20, 26],
      'South Africa': [50, 31],
      'Any other': [15, 23],
    },
    bets: ['BUY_YES RSA at 0.3353'],
    ends: [
      { says: says('determined', { RSA: 'no', NZL: 'no', FRA: 'no' }), grade: 'none' },
      { says: says('finalized', { RSA: 'no', NZL: 'no' }), grade: 'none' },
      { says: says('finalized', { FRA: 'no' }), grade: 'graded: Any other' },
    ],
    newRules: [],
    graded: { page: 'It resolved to “Any other”.', text: 'Outcome: Any other. Brier score' },
    ended: ['resolved: Not South Africa', 'resolved: Not New Zealand', 'resolved: Not France'],
  },
  {
    kind: 'exclusive, of buckets that tile the line',
    ticker: 'KXSIMHIGH-31MAR01',
    title: 'Highest temperature in New York on 1 March 2031? (simulated)',
    category: 'weather',
    words: 'highest temperature new york',
    exclusive: true,
    markets: {
      T40: { yes: '39° or below', price: 11, bid: 10, ask: 12 },
      B42: { yes: '40° to 44°', price: 51.5, bid: 50, ask: 53 },
      T44: { yes: '45° or above', price: 36.5, bid: 35, ask: 38 },
    },
    outcomes: { '39° or below': [10, 11.1], '40° to 44°': [70, 52], '45° or above': [20, 36.9] },
    bets: ['BUY_YES B42 at 0.5475'],
    ends: [
      { says: says('determined', { T40: 'no', B42: 'yes', T44: 'no' }), grade: 'none' },
      { says: says('finalized', { T40: 'no', B42: 'yes', T44: 'no' }), grade: 'graded: 40° to 44°' },
    ],
    newRules: ['T40', 'B42', 'T44'],
    graded: { page: 'It resolved to “40° to 44°”.', text: 'Outcome: 40° to 44°. Brier score' },
    ended: ['resolved: Not 39° or below', 'resolved: 40° to 44°', 'resolved: Not 45° or above'],
  },
  {
    kind: 'a ladder',
    ticker: 'KXSIMGAS-31MAR',
    title: 'Average US gas price on 31 March 2031? (simulated)',
    category: 'economy',
    words: 'average gas price',
    exclusive: false,
    markets: {
      '3.00': { yes: 'Above $3.00', price: 91, bid: 90, ask: 92 },
      '3.25': { yes: 'Above $3.25', price: 56, bid: 55, ask: 57 },
      '3.50': { yes: 'Above $3.50', price: 16, bid: 15, ask: 17 },
    },
    outcomes: { 'Above $3.00': [91, 91], 'Above $3.25': [80, 56], 'Above $3.50': [16, 16] },
    bets: ['BUY_YES 3.25 at 0.5872', 'BUY_YES 3.00 at 0.9252'],
    ends: [
      { says: says('determined', { '3.00': 'yes', '3.25': 'yes', '3.50': 'no' }), grade: 'none' },
      { says: says('finalized', { '3.00': 'yes' }), grade: 'graded: Above $3.00; 2 open' },
      { says: says('finalized', { '3.25': 'yes' }), grade: 'graded: Above $3.00, Above $3.25; 1 open' },
      { says: says('finalized', { '3.50': 'no' }), grade: 'graded: Above $3.00, Above $3.25' },
    ],
    newRules: ['3.50'],
    graded: {
      page: '“Above $3.00” and “Above $3.25” happened.',
      text: 'Outcome: Above $3.00, Above $3.25. Brier score',
    },
    ended: ['resolved: Above $3.00', 'resolved: Above $3.25', 'resolved: Not Above $3.50'],
  },
  {
    kind: 'with an empty book',
    ticker: 'KXSIMEMPTY-31',
    title: 'Will a new element be named in 2031? (simulated)',
    category: 'science',
    words: 'new element named',
    exclusive: true,
    markets: { YES: { yes: 'New element', price: null, bid: null, ask: null } },
    outcomes: { 'New element': [30, null], 'Not New element': [70, null] },
    bets: {
      none: {
        page: 'There is no estimate to price a bet by, because the market has no prices.',
        text: 'No bet is suggested: there is no estimate to price one by.',
      },
    },
    ends: [
      { says: says('determined', { YES: 'yes' }), grade: 'none' },
      { says: scalar('YES', '0.5000'), grade: 'fifty_fifty' },
    ],
    newRules: [],
    graded: { page: 'The market paid half to each side.', text: 'Outcome: fifty_fifty' },
    ended: ['closed, paid out half to each side'],
  },
  {
    kind: 'with a fee of an unknown kind',
    ticker: 'KXSIMFLAT-31',
    title: 'Will the index close higher in March 2031? (simulated)',
    category: 'economy',
    words: 'index close higher',
    exclusive: true,
    markets: { YES: { yes: 'Higher', price: 53, bid: 52, ask: 54 } },
    outcomes: { Higher: [75, 53], 'Not Higher': [25, 47] },
    bets: {
      none: {
        page: 'The venue’s fee is of a kind that is not known here, so no bet can be priced.',
        text: 'No bet is suggested: the venue’s fee is of a kind that is not known here, so no bet can be priced.',
      },
    },
    ends: [
      { says: says('determined', { YES: 'yes' }), grade: 'none' },
      { says: scalar('YES', '0.2400'), grade: 'void' },
    ],
    newRules: [],
    graded: { page: 'The market ended without a winner.', text: 'A share of YES paid $0.24.' },
    ended: ['closed, void'],
  },
];
