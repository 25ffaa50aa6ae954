import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { readJsonBody, sendJson } from '../wire.js';
import { type KalshiState, kalshiSamples } from './kalshi-state.js';
import type { PolymarketState } from './polymarket-state.js';
import { type SimulatedVenue, simulatedVenues, type VenueFault, venueFaults } from './request-log.js';

/** Handles `GET` (the markets and faults as they are now) and `POST` (one action) of the control's address. */
export async function handleControl(
  venues: ControlledVenues,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') return sendJson(response, 200, overview(venues));
  if (request.method !== 'POST') {
    return sendJson(response, 405, { problem: 'GET or POST' }, { allow: 'GET, POST' });
  }
  const body = await readJsonBody(request).catch(() => undefined);
  if (body === undefined)
    return sendJson(response, 400, { problem: 'The body is not JSON, or is too large.' });
  const action = actionShape.safeParse(body);
  if (!action.success) return sendJson(response, 400, { problem: z.prettifyError(action.error) });
  try {
    act(venues.control, action.data);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return sendJson(response, 404, { problem: error.message });
  }
  sendJson(response, 200, { done: action.data });
}

/** Changes the simulated venues while they run. */
export interface VenuesControl {
  /** Moves a market on, for example from `determined` to `disputed`. @throws RangeError if there is no such market. */
  readonly moveKalshi: KalshiState['move'];
  /** @throws RangeError if there is no such market. */
  readonly changeKalshiRules: KalshiState['changeRules'];
  /** @throws RangeError if there is no such market. */
  readonly archiveKalshi: KalshiState['archive'];
  /** Moves a market's resolution on. @throws RangeError if there is no such market. */
  readonly movePolymarket: PolymarketState['move'];
  /** @throws RangeError if there is no such market. */
  readonly changePolymarketRules: PolymarketState['changeRules'];
  /** Applies to all requests that come to the venue within `forMs` milliseconds, and replaces an earlier fault. */
  setFault(venue: SimulatedVenue, fault: VenueFault, forMs: number): void;
  clearFaults(): void;
}

export interface ControlledVenues {
  readonly control: VenuesControl;
  readonly kalshi: KalshiState;
  readonly polymarket: PolymarketState;
  /** The fault in force. */
  readonly faultOf: (venue: SimulatedVenue) => VenueFault | null;
}

const rulesMaxLength = 20_000;
const market = z.string();

const kalshiStep = z.discriminatedUnion('status', [
  z.strictObject({ status: z.enum(['active', 'closed']) }),
  z.strictObject({
    status: z.enum(['determined', 'disputed', 'amended', 'finalized']),
    result: z.enum(['yes', 'no', 'scalar']),
    value: z.string().regex(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/, 'dollars from 0 to 1, such as "1.0000"'),
  }),
]);

const polymarketStep = z.strictObject({
  status: z.enum(['initialized', 'posed', 'proposed', 'disputed', 'reproposed', 'resolved']),
  price: z.literal([0, 0.5, 1, null]),
});

const actionShape = z.discriminatedUnion('act', [
  z.discriminatedUnion('venue', [
    z.strictObject({ act: z.literal('move'), venue: z.literal('kalshi'), market, step: kalshiStep }),
    z.strictObject({ act: z.literal('move'), venue: z.literal('polymarket'), market, step: polymarketStep }),
  ]),
  z.strictObject({
    act: z.literal('change_rules'),
    venue: z.enum(simulatedVenues),
    market,
    rules: z.string().min(1).max(rulesMaxLength),
  }),
  z.strictObject({ act: z.literal('archive'), venue: z.literal('kalshi'), market }),
  z.strictObject({
    act: z.literal('set_fault'),
    venue: z.enum(simulatedVenues),
    fault: z.enum(venueFaults),
    /** Milliseconds; until the faults are cleared if it is left out. */
    for_ms: z.int().positive().optional(),
  }),
  z.strictObject({ act: z.literal('clear_faults') }),
]);

/** The body of a `POST` to the control's address. */
export type ControlAction = z.infer<typeof actionShape>;

/** What `npm run dev -- --venues` shows how to send. */
export const controlExample: ControlAction = {
  act: 'set_fault',
  venue: 'kalshi',
  fault: 'hang',
  for_ms: 60_000,
};

/** @throws RangeError if there is no such market. */
function act(control: VenuesControl, action: ControlAction): void {
  switch (action.act) {
    case 'move':
      return action.venue === 'kalshi'
        ? control.moveKalshi(action.market, action.step)
        : control.movePolymarket(action.market, action.step);
    case 'change_rules':
      return action.venue === 'kalshi'
        ? control.changeKalshiRules(action.market, action.rules)
        : control.changePolymarketRules(action.market, action.rules);
    case 'archive':
      return control.archiveKalshi(action.market);
    case 'set_fault':
      return control.setFault(action.venue, action.fault, action.for_ms ?? Number.POSITIVE_INFINITY);
    case 'clear_faults':
      return control.clearFaults();
  }
}

function overview({ kalshi, polymarket, faultOf }: ControlledVenues) {
  return {
    faults: Object.fromEntries(simulatedVenues.map(venue => [venue, faultOf(venue)])),
    kalshi: kalshiSamples.flatMap(event =>
      [...kalshi.marketsOf(event), ...kalshi.historicalMarketsOf(event)].map(({ ticker, status }) => ({
        event: event.ticker,
        market: ticker,
        title: event.title,
        status,
      })),
    ),
    polymarket: polymarket.events().flatMap(event =>
      event.markets.map(({ id, question, conditionId }) => ({
        event: event.id,
        market: id,
        title: question,
        status: polymarket.resolutions([conditionId])[0]?.status ?? null,
      })),
    ),
  };
}
