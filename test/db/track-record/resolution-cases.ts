import type { Resolution } from '../../../council/event.js';
import type { RecordedOutcome } from '../../../record/recorded-forecast.js';
import type { VenuesControl } from '../../../simulator/venues/handle-control.js';
import type { KalshiStep } from '../../../simulator/venues/kalshi-state.js';
import type { PolymarketStep } from '../../../simulator/venues/polymarket-state.js';
import { forecast, outcome } from '../../record/grade-fixtures.js';
import { plantReports } from '../../support/record/plant-record.js';
import type { TestWorld } from '../support/test-world.js';

/** What a venue says about an event, in which order, and what is graded after each step. */
export interface ResolutionCase {
  readonly title: string;
  readonly eventId: string;
  readonly outcomes: readonly RecordedOutcome[];
  readonly steps: readonly ResolutionStep[];
}

interface ResolutionStep {
  readonly said: string;
  readonly act: (control: CaseControl) => void | Promise<void>;
  readonly graded: string;
}

export interface CaseControl extends VenuesControl {
  /** Stores what release 1.0.0 read from closing prices. */
  readonly setPrices: (marketId: string, resolution: Resolution) => Promise<void>;
}

/** Records a forecast: of one market with both sides, or of independent markets. @returns the report's id */
export async function plantOutcomes(
  world: TestWorld,
  eventId: string,
  outcomes: readonly RecordedOutcome[],
): Promise<number> {
  const exclusive = outcomes.some(({ side }) => side === 'no');
  const [report] = await plantReports(world, [forecast(outcomes, { event_id: eventId, exclusive })]);
  return report?.report_id ?? 0;
}

const sidesOf = (marketId: string): RecordedOutcome[] => [
  { ...outcome('Yes', 70, 55), market_id: marketId },
  { ...outcome('No', 30, 45), market_id: marketId, side: 'no' },
];

const uma = (marketId: string, status: PolymarketStep['status'], price: 0 | 0.5 | 1, graded: string) => ({
  said: `${status} ${price}`,
  act: ({ movePolymarket }: CaseControl) => movePolymarket(marketId, { status, price }),
  graded,
});

const prices = (marketId: string, resolution: Resolution, graded: string) => ({
  said: `final prices ${resolution}`,
  act: ({ setPrices }: CaseControl) => setPrices(marketId, resolution),
  graded,
});

const kalshi = (ticker: string, step: KalshiStep, graded: string) => ({
  said: `${suffixOf(ticker)} ${step.status}${'result' in step ? ` ${step.result} ${step.value}` : ''}`,
  act: ({ moveKalshi }: CaseControl) => moveKalshi(ticker, step),
  graded,
});

const suffixOf = (ticker: string) => ticker.split('-').at(-1) ?? ticker;

const yes = { result: 'yes', value: '1.0000' } as const;
const no = { result: 'no', value: '0.0000' } as const;

const cut = 'KXSIMCUT-31MAR-YES';
const gas = (strike: string) => `KXSIMGAS-31MAR-${strike}`;

const polymarketCases: readonly ResolutionCase[] = [
  {
    title: 'Polymarket, not contested',
    eventId: '910003',
    outcomes: sidesOf('910301'),
    steps: [
      uma('910301', 'proposed', 1, 'no grade'),
      uma('910301', 'resolved', 1, 'Yes, by uma; 1 grade'),
      uma('910301', 'resolved', 1, 'Yes, by uma; 1 grade'),
    ],
  },
  {
    title: 'Polymarket, disputed',
    eventId: '910003',
    outcomes: sidesOf('910301'),
    steps: [
      uma('910301', 'proposed', 1, 'no grade'),
      uma('910301', 'disputed', 1, 'disputed; 1 grade'),
      uma('910301', 'reproposed', 0, 'disputed; 1 grade'),
      uma('910301', 'resolved', 0, 'No, by uma, once disputed; 2 grades'),
    ],
  },
  {
    title: 'Prices, then another word',
    eventId: '910001',
    outcomes: sidesOf('910101'),
    steps: [
      prices('910101', 'yes', 'Yes, by prices; 1 grade'),
      uma('910101', 'proposed', 0, 'Yes, by prices; 1 grade'),
      uma('910101', 'resolved', 0, 'No, by uma, corrected; 2 grades'),
    ],
  },
  {
    title: 'Prices, then the same word',
    eventId: '910001',
    outcomes: sidesOf('910101'),
    steps: [
      prices('910101', 'yes', 'Yes, by prices; 1 grade'),
      uma('910101', 'proposed', 1, 'Yes, by prices; 1 grade'),
      uma('910101', 'resolved', 1, 'Yes, by uma; 1 grade'),
      uma('910101', 'resolved', 1, 'Yes, by uma; 1 grade'),
    ],
  },
  {
    title: 'Prices, then a dispute',
    eventId: '910001',
    outcomes: sidesOf('910101'),
    steps: [
      prices('910101', 'yes', 'Yes, by prices; 1 grade'),
      uma('910101', 'disputed', 1, 'disputed, corrected; 2 grades'),
      uma('910101', 'resolved', 1, 'Yes, by uma, once disputed; 3 grades'),
    ],
  },
];

const kalshiCases: readonly ResolutionCase[] = [
  {
    title: 'Kalshi, disputed',
    eventId: 'kalshi:KXSIMCUT-31MAR',
    outcomes: sidesOf(cut),
    steps: [
      kalshi(cut, { status: 'closed' }, 'no grade'),
      kalshi(cut, { status: 'determined', ...yes }, 'no grade'),
      kalshi(cut, { status: 'disputed', ...yes }, 'disputed; 1 grade'),
      kalshi(cut, { status: 'determined', ...no }, 'disputed; 1 grade'),
      kalshi(cut, { status: 'finalized', ...no }, 'No, by exchange, once disputed; 2 grades'),
    ],
  },
  {
    title: 'Kalshi, amended',
    eventId: 'kalshi:KXSIMCUT-31MAR',
    outcomes: sidesOf(cut),
    steps: [
      kalshi(cut, { status: 'finalized', ...yes }, 'Yes, by exchange; 1 grade'),
      kalshi(cut, { status: 'amended', ...no }, 'Yes, by exchange; 1 grade'),
      kalshi(cut, { status: 'finalized', ...no }, 'No, by exchange, corrected; 2 grades'),
    ],
  },
  {
    title: 'Kalshi, half paid',
    eventId: 'kalshi:KXSIMCUT-31MAR',
    outcomes: sidesOf(cut),
    steps: [
      kalshi(
        cut,
        { status: 'finalized', result: 'scalar', value: '0.5000' },
        'fifty_fifty, paid 0.5, by exchange; 1 grade',
      ),
    ],
  },
  {
    title: 'Kalshi, another value',
    eventId: 'kalshi:KXSIMCUT-31MAR',
    outcomes: sidesOf(cut),
    steps: [
      kalshi(
        cut,
        { status: 'finalized', result: 'scalar', value: '0.2400' },
        'void, paid 0.24, by exchange; 1 grade',
      ),
    ],
  },
  {
    title: 'Kalshi, independent markets',
    eventId: 'kalshi:KXSIMGAS-31MAR',
    outcomes: ['3.00', '3.25', '3.50'].map(strike => ({
      ...outcome(strike, 60, 50),
      market_id: gas(strike),
    })),
    steps: [
      kalshi(gas('3.00'), { status: 'determined', ...yes }, 'no grade'),
      kalshi(gas('3.00'), { status: 'finalized', ...yes }, '3.00 (open: 3.25, 3.50), by exchange; 1 grade'),
      kalshi(gas('3.50'), { status: 'finalized', ...no }, '3.00 (open: 3.25), by exchange; 2 grades'),
      kalshi(gas('3.25'), { status: 'finalized', ...yes }, '3.00 and 3.25, by exchange; 3 grades'),
    ],
  },
  {
    title: 'Kalshi, in the history',
    eventId: 'kalshi:KXSIMCUT-31MAR',
    outcomes: sidesOf(cut),
    steps: [
      kalshi(cut, { status: 'determined', ...yes }, 'no grade'),
      {
        said: 'finalized yes 1.0000, in the history only',
        act: control => {
          control.moveKalshi(cut, { status: 'finalized', ...yes });
          control.archiveKalshi(cut);
        },
        graded: 'Yes, by exchange; 1 grade',
      },
    ],
  },
];

export const resolutionCases: readonly ResolutionCase[] = [...polymarketCases, ...kalshiCases];
