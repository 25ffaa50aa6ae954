import { z } from 'zod';
import type { CouncilProblem } from '../../client/council-problem.js';
import { formatUsd, usdAmount } from '../../contract/callers/price-text.js';
import { type ProblemCode, problems } from '../../contract/problems.js';
import { problemShape } from '../../contract/service.js';
import { subscriptionFreshUsdCents } from '../../purchase/limits.js';

const ownCodes = [
  'over_max_credits',
  'over_max_usd',
  'metered_lane_unconfirmed',
  'purchase_unknown',
  'unreachable',
  'unexpected_answer',
] as const;

export type ToolProblemCode = ProblemCode | (typeof ownCodes)[number];

/** Every code that a tool error can carry: the API's, the client's and those of the tools. A closed list. */
export const toolProblemCodes: readonly ToolProblemCode[] = [
  ...Object.keys(problems).filter((code): code is ProblemCode => code in problems),
  ...ownCodes,
];

/** Data to act on: from the API's problem documents and from the tools. */
const dataShape = problemShape
  .pick({
    request_id: true,
    errors: true,
    cost_credits: true,
    price_usd_cents: true,
    balance_credits: true,
    owed_credits: true,
    lane: true,
    missing: true,
    checks: true,
    resets_at: true,
  })
  .partial()
  .extend({
    max_credits: z.int().optional(),
    retry_after_seconds: z.int().optional(),
  });

type ToolProblemData = z.infer<typeof dataShape>;

/** The structured content of every error result. */
export const toolProblemShape = z.object({
  code: z.enum(toolProblemCodes),
  detail: z.string(),
  next_step: z.string(),
  ...dataShape.shape,
});

/** The others of the client belong to calls that no tool makes. */
function isToolCode(code: string): code is ToolProblemCode {
  return code in nextSteps;
}

/** An error of a tool. Thrown anywhere below a tool, turned into a result in one place. */
export class ToolProblem extends Error {
  readonly code: ToolProblemCode;
  readonly data: ToolProblemData;

  constructor(code: ToolProblemCode, detail: string, data: ToolProblemData = {}) {
    super(detail);
    this.name = 'ToolProblem';
    this.code = code;
    this.data = data;
  }

  static of({ code, message, document, retryAfterSeconds: seconds }: CouncilProblem): ToolProblem {
    return new ToolProblem(isToolCode(code) ? code : 'internal', message, {
      ...dataShape.parse(document ?? {}),
      ...(seconds === null ? {} : { retry_after_seconds: seconds }),
    });
  }

  toDocument(): z.infer<typeof toolProblemShape> {
    const next_step = nextSteps[this.code](this.data);
    return { code: this.code, detail: this.message, next_step, ...this.data };
  }
}

/** What an assistant should do next, in sentences that it can follow or pass on to its user. */
const nextSteps: Readonly<Record<ToolProblemCode, (data: ToolProblemData) => string>> = {
  invalid_request: () => 'Correct the arguments that `errors` names and call again. Nothing was charged.',
  unauthenticated: () =>
    'Ask the user for an API key (pc_live_…). They create one on the web page of the service, or with POST /api/keys and a ' +
    'session. Set it as COUNCIL_API_KEY for stdio, or send it in the header X-API-Key or Authorization: Bearer for HTTP. ' +
    'search_events, get_event, get_pricing and get_track_record work without a key.',
  insufficient_credits: ({ cost_credits: cost, balance_credits: balance, owed_credits: owed = 0 }) =>
    owed > 0
      ? `Nothing was charged. Tell the user that the account owes ${owed} credits of a refunded or disputed payment. They are ` +
        'deducted from the next credits that the user buys (on the web page, or GET /api/credits/packs and POST ' +
        '/api/billing/checkout); until then credits and free reports pay for nothing.'
      : insufficientBalance(cost, balance),
  key_limit_reached_today: ({ resets_at: resetsAt }) =>
    `Nothing was charged. This API key has spent what its owner allows for a day. It can buy again after ${orUnknownTime(resetsAt)}, or ` +
    'the user raises the limit or uses another key. Reading goes on.',
  scope_insufficient: () =>
    'Nothing was charged. This API key may only read. The user creates a key that may spend on the web page, or buys there.',
  session_required: () =>
    'No tool can do this with an API key. The user signs in on the web page and does it there.',
  account_suspended: () =>
    'Nothing was charged. Tell the user that their account is suspended and that the operator of the service can lift it. ' +
    'get_report still reads the reports that the account owns.',
  not_found: () =>
    'Check the report_id: only the account that bought a report can read it. check_report with the event_id shows whether ' +
    'this account has a report on the event.',
  event_not_found: () =>
    'Call search_events with a few words of the question, and use an event_id it returns.',
  method_not_allowed: () => 'The user cannot fix this: the MCP server and the service are incompatible.',
  quote_expired: ({ cost_credits: cost, price_usd_cents: cents }) =>
    `Nothing was bought: the price has moved${movedTo(cost, cents)}. Call check_report again, tell the user the new price and ` +
    'ask. Then call run_report with a limit of at least that price.',
  key_limit_reached: () => 'The user revokes an unused API key on the web page.',
  event_closed: () =>
    'The event no longer trades, so the council cannot run on it. Find an open event with search_events. If this account ' +
    'has a report on the event, get_report still reads it.',
  lane_unavailable: ({ lane, missing }) =>
    `Nothing was charged. The lane ${orUnknown(lane)} is not set up for this account${missing === undefined ? '' : ` (missing: ${missing.join(', ')})`}. ` +
    'Call check_report with lane "credits", or ask the user to set the lane up on the web page.',
  payload_too_large: () => 'Send shorter arguments.',
  unsupported_media_type: () => 'The user cannot fix this. Tell them the request_id.',
  idempotency_mismatch: () =>
    'Call check_report, then run_report once more. Nothing was charged by this call.',
  run_limit_exceeded: data =>
    `Nothing was charged. An account may start five fresh runs an hour. ${wait(data)} Cached and owned reports are available ` +
    'at once.',
  rate_limited: data => `${wait(data)} Then call again, less often.`,
  internal: () =>
    'Call once more: a report is not charged twice for one event and day. If the error persists, tell the user the request_id.',
  unavailable: data =>
    `A part of the service is down, or the event rests after failed runs, and nothing was charged. ${wait(data)}`,
  payments_not_configured: () =>
    'This service does not sell credits. The user can ask its operator for some; free reports still work.',
  house_limit_reached: data =>
    `Nothing was charged. The service starts no more fresh reports today. ${wait(data)} Cached and owned reports, and the ` +
    'lane "byok", are available at once.',
  over_max_credits: ({ cost_credits: cost }) =>
    `Nothing was charged. Tell the user that the report costs ${orUnknown(cost)} credits and ask. If they agree, call run_report ` +
    `with max_credits ${orUnknown(cost)}.`,
  over_max_usd: data => agreeToDollars(data),
  metered_lane_unconfirmed: data => agreeToDollars(data),
  purchase_unknown: data =>
    `${wait(data)} Then call check_report with the same event_id. If already_purchased is true, the report was bought once, ` +
    'and get_report reads it. Otherwise nothing was charged, and run_report may be called again.',
  unreachable: () =>
    'Tell the user that the service cannot be reached: it must be running at the address in COUNCIL_BASE_URL. Then call again.',
  unexpected_answer: () =>
    'Call once more. If the error persists, tell the user that the MCP server and the service are incompatible: one may be older.',
};

function orUnknown(value: string | number | undefined): string {
  return value === undefined ? 'an unknown number of' : String(value);
}

function orUnknownTime(at: string | undefined): string {
  return at ?? 'the next midnight UTC';
}

/** The two ways on for an account whose lane bills dollars that the call does not allow. */
function agreeToDollars({ price_usd_cents: cents = subscriptionFreshUsdCents }: ToolProblemData): string {
  return (
    `Nothing was charged. Tell the user that their subscription would be billed ${formatUsd(cents)} and ask. If they agree, call ` +
    `run_report with lane "subscription" and max_usd ${usdAmount(cents)}; to pay with credits, call check_report and run_report ` +
    'with lane "credits".'
  );
}

function movedTo(credits: number | undefined, cents: number | undefined): string {
  if (cents !== undefined) return ` to ${formatUsd(cents)}`;
  return credits === undefined ? '' : ` to ${credits} credits`;
}

function wait({ retry_after_seconds: seconds }: ToolProblemData): string {
  return seconds === undefined ? 'Wait a little.' : `Wait ${seconds} seconds.`;
}

function insufficientBalance(cost: number | undefined, balance: number | undefined): string {
  return (
    `Nothing was charged. Tell the user that the report costs ${orUnknown(cost)} credits and they have ${orUnknown(balance)}. They ` +
    'can buy credits (on the web page, or GET /api/credits/packs and POST /api/billing/checkout) or wait for Monday’s free ' +
    'report. Call again only after they say that this has changed.'
  );
}
