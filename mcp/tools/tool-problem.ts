import { z } from 'zod';
import { problemShape } from '../../contract/service.js';
import { type ProblemCode, problems } from '../../council/problems.js';

/** What can go wrong in this server, before or after the API: it never stands in an answer of the API. */
const ownCodes = [
  'over_max_credits',
  'metered_lane_unconfirmed',
  'purchase_unknown',
  'unreachable',
  'unexpected_answer',
] as const;

export type ToolProblemCode = ProblemCode | (typeof ownCodes)[number];

/** Every code that an error of a tool can carry: those of the API, and the server's own. A closed list. */
export const toolProblemCodes: readonly ToolProblemCode[] = [
  ...Object.keys(problems).filter((code): code is ProblemCode => code in problems),
  ...ownCodes,
];

/** What a caller can act on, besides the code: the data of the API's problem documents, and the tools' own. */
const dataShape = problemShape
  .pick({
    request_id: true,
    errors: true,
    cost_credits: true,
    balance_credits: true,
    lane: true,
    missing: true,
    checks: true,
  })
  .partial()
  .extend({
    max_credits: z.int().optional(),
    price_usd_cents: z.int().optional(),
    retry_after_seconds: z.int().optional(),
  });

export type ToolProblemData = z.infer<typeof dataShape>;

/** The structured content of every answer that is an error. */
export const toolProblemShape = z.object({
  code: z.enum(toolProblemCodes),
  detail: z.string(),
  next_step: z.string(),
  ...dataShape.shape,
});

/** Why a tool did not do what it was asked. Thrown anywhere below a tool; answered in one place. */
export class ToolProblem extends Error {
  readonly code: ToolProblemCode;
  readonly data: ToolProblemData;

  constructor(code: ToolProblemCode, detail: string, data: ToolProblemData = {}) {
    super(detail);
    this.name = 'ToolProblem';
    this.code = code;
    this.data = data;
  }

  toDocument(): z.infer<typeof toolProblemShape> {
    const next_step = nextStepOf(this.code, this.data);
    return { code: this.code, detail: this.message, next_step, ...this.data };
  }
}

/** What an assistant does next about a problem, in a sentence that it can act on or hand to its user. */
function nextStepOf(code: ToolProblemCode, data: ToolProblemData): string {
  return nextSteps[code](data);
}

const nextSteps: Readonly<Record<ToolProblemCode, (data: ToolProblemData) => string>> = {
  invalid_request: () => 'Correct the arguments that `errors` names and call again. Nothing was charged.',
  unauthenticated: () =>
    'Ask the user for an API key (pc_live_…): they make one on the web page of the service, or with POST /api/keys and a ' +
    'session. It goes into COUNCIL_API_KEY for stdio, or into the header X-API-Key or Authorization: Bearer for HTTP. ' +
    'search_events, get_event, get_pricing and get_track_record work without one.',
  insufficient_credits: ({ cost_credits: cost, balance_credits: balance }) =>
    `Nothing was charged. Tell the user that it costs ${told(cost)} credits and they have ${told(balance)}. They can buy credits ` +
    '(on the web page, or GET /api/credits/packs and POST /api/billing/checkout) or wait for Monday’s free report. Call ' +
    'again only after they say that something has changed.',
  session_required: () =>
    'No tool can do this with an API key. The user signs in on the web page and does it there.',
  not_found: () =>
    'Check the report_id: a report can be read only by the account that asked for it. check_report with the event_id says ' +
    'whether this account has one.',
  event_not_found: () =>
    'Call search_events with a few words of the question, and use an event_id it returns.',
  method_not_allowed: () =>
    'Nothing that the user can mend: this server and the service do not fit together.',
  quote_expired: ({ cost_credits: cost }) =>
    `Nothing was bought: the price has moved${cost === undefined ? '' : ` to ${cost} credits`}. Call check_report again, tell the ` +
    'user the new price and ask; then run_report with max_credits of at least that.',
  key_limit_reached: () => 'The user revokes an API key that is no longer needed, on the web page.',
  event_closed: () =>
    'The event no longer trades, so no council can be run on it. Find an open one with search_events. If this account has ' +
    'a report on it, get_report still reads it.',
  lane_unavailable: ({ lane, missing }) =>
    `Nothing was charged. The lane ${told(lane)} is not set up for this account${missing === undefined ? '' : ` (missing: ${missing.join(', ')})`}. ` +
    'Call check_report with lane "credits", or the user sets the lane up on the web page.',
  payload_too_large: () => 'Send shorter arguments.',
  unsupported_media_type: () => 'Nothing that the user can mend: tell them the request_id.',
  idempotency_mismatch: () =>
    'Call check_report, then run_report once more. Nothing was charged by this call.',
  run_limit_exceeded: data =>
    `Nothing was charged. An account may begin five fresh runs an hour; ${wait(data)} Reports that are cached or owned ` +
    'already can be had at once.',
  rate_limited: data => `${capital(wait(data))} Then call again, less often.`,
  internal: () =>
    'Call once more. For one event and day nothing is charged twice. If it stays, tell the user the request_id.',
  unavailable: data => `A part of the service is down and nothing was charged. ${capital(wait(data))}`,
  payments_not_configured: () =>
    'This service does not sell credits. The user asks its operator for some; reports that cost nothing can still be had.',
  over_max_credits: ({ cost_credits: cost }) =>
    `Nothing was charged. Tell the user that it costs ${told(cost)} credits and ask. If they agree, call run_report with ` +
    `max_credits ${told(cost)}.`,
  metered_lane_unconfirmed: ({ price_usd_cents: cents }) =>
    `Nothing was charged. Tell the user that their subscription would be billed ${dollars(cents)} and ask. If they agree, call ` +
    'run_report with lane "subscription"; to pay with credits, check_report and run_report with lane "credits".',
  purchase_unknown: () =>
    'Call check_report with the same event_id: if already_purchased is true the report was bought, once, and get_report ' +
    'reads it. Otherwise nothing was charged, and run_report may be called again.',
  unreachable: () =>
    'Tell the user that the service cannot be reached: it must be running, at the address in COUNCIL_BASE_URL. Then call again.',
  unexpected_answer: () =>
    'Call once more. If it stays, tell the user that this server and the service do not fit together: one may be older.',
};

function told(value: string | number | undefined): string {
  return value === undefined ? 'an unknown number of' : String(value);
}

function dollars(cents: number | undefined): string {
  return cents === undefined ? 'in dollars' : `${(cents / 100).toFixed(2)} USD`;
}

function wait({ retry_after_seconds: seconds }: ToolProblemData): string {
  return seconds === undefined ? 'wait a little.' : `wait ${seconds} seconds.`;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
