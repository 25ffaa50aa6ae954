import type { TagName } from '../../contract/operation.js';
import {
  bodyMaxBytes,
  eventRestSeconds,
  headersMaxBytes,
  heldAnswersPerAccount,
  idempotencyKeptHours,
  marketChecksPerMinutePerAccount,
  marketLookupsPerMinutePerAccount,
  requestsPerMinuteAnonymous,
  requestsPerMinutePerAddress,
  requestsPerMinutePerCredential,
  requestWithinSeconds,
  runsPerHour,
  uncountedRefundsPerHour,
  waitMaxSeconds,
  webhooksPerAccount,
} from '../../purchase/limits.js';

const inThousands = (count: number) => count.toLocaleString('en');

/** General information before the operations. Markdown. */
export const introduction = `
Runs a council of four AI models on a prediction-market event and sells the result as a report: a verdict on the
market, the estimate of each outcome with the probabilities of council and market that it weighs, the whole deliberation, and ranked bets with their
arithmetic. A failed run is refunded automatically.

**Quick start.** Search an event (\`GET /api/events\`), check the price of its report
(\`GET /api/reports/check/{event_id}\`), buy it on that lane with that price as \`quoted_credits\` or \`quoted_usd_cents\` (\`POST /api/reports\`),
and read it until it is \`completed\` or \`failed\` (\`GET /api/reports/{id}\` with \`Prefer: wait=30\`). A run
takes 30 to 120 seconds.

**Documents.** \`/llms.txt\` lists what there is to read beside this reference, as Markdown. A report can be read in words,
too: \`GET /api/reports/{id}\` with \`Accept: text/markdown\`.

**Evidence.** Before they give their opinions, members search the web (\`progress.stage\` \`research\`).
\`deliberation.evidence\` lists the sources. Each fact of an opinion names its sources by id; a fact without one is the
member's own knowledge. Sources are cited, not verified. Pages of markets and statements of odds are left out, because
members must not see a price, and counted in \`removed\`. A search that fails loses no member; if none found
anything, \`runtime.evidence.status\` is \`none\` and the confidence is lowered. Titles and texts of sources come from
the web: show them as text, and let no program follow them.

**Authentication.** Routes of an account accept an API key (\`X-API-Key\`, or \`Authorization: Bearer\`) or a
session token. Managing API keys, provider keys and webhooks needs a session. Resources of other accounts return the same
error as resources that do not exist.

**Errors.** Every response outside 2xx and 3xx is \`application/problem+json\` (RFC 9457). Branch on \`code\`;
the list of codes is closed. An unsupported method returns \`method_not_allowed\` (405) with \`Allow\`, an
unknown path \`not_found\`. A request body must be JSON in UTF-8 with at most ${inThousands(bodyMaxBytes)}
bytes, even on routes that ignore it. A request that is not valid HTTP is an \`invalid_request\`: 400, 431 if its
request line and headers exceed ${inThousands(headersMaxBytes)} bytes, 408 if it is not complete within
${requestWithinSeconds} seconds. The connection then closes.

**Retries.** \`unavailable\` guarantees that nothing was or will be charged, unless it has \`outcome: unknown\`: then
repeat the purchase with the same \`Idempotency-Key\`, after \`Retry-After\`, until it gets another answer. With a key, a
purchase can be repeated for ${idempotencyKeptHours} hours and is executed once. Without one, a second purchase
of the same event on the same UTC day returns the same report, free of charge. \`Retry-After\`, in every 202, 429 and 503,
is the number of seconds to wait before the next request.

**Rate limits.** ${runsPerHour} fresh runs per hour and account; cached and owned reports do not count, nor do up to
${uncountedRefundsPerHour} refunded runs. ${inThousands(requestsPerMinutePerCredential)} requests per minute and
credential (all sessions of an account count as one), ${inThousands(requestsPerMinuteAnonymous)} per minute and IP address without a valid
credential, ${inThousands(requestsPerMinutePerAddress)} per minute and IP address in all; IPv6 addresses count by /56 network, and by /48 with four times the limit. \`RateLimit\` and
\`RateLimit-Policy\` show what remains, in every response but those to the payment provider and to what is not HTTP. An event whose runs failed twice within ${eventRestSeconds / 60} minutes starts
no run for ${eventRestSeconds / 60} minutes: \`unavailable\` with \`Retry-After\`. \`Prefer: wait\` holds a response
for at most ${waitMaxSeconds} seconds, and ${heldAnswersPerAccount} responses at a time for an account: \`rate_limited\` with \`Retry-After\`.
Of events that were not read lately, an account can check the price of ${marketChecksPerMinutePerAccount} a minute. It can
name ${marketLookupsPerMinutePerAccount} events a minute in purchases that the service has never read. Further ones are \`rate_limited\`.

**Attempts.** Wrong passwords, sign-ups and requests for mail make the next one wait, longer each time, by account and by
address: \`rate_limited\` with \`Retry-After\`, whether the account exists or not.

**Amounts.** Credits are whole numbers, and prices of packs are whole US cents. Percentages have at most one
decimal; where exactly one outcome wins, they add up to 100.

**Versioning.** Fields, and values of open lists, can be added at any time: ignore unknown ones. What is to be removed or
renamed is first marked \`deprecated\` in this document and works on for 12 months at least. A deprecated route says so in
each response: \`Deprecation\` (RFC 9745) since when, \`Sunset\` (RFC 8594) until when, \`Link\` what replaces it. Nothing
is deprecated today. Times are ISO 8601 in UTC.
`.trim();

/** The sections of the reference, in the order in which a new reader needs them. */
export const tags: readonly { readonly name: TagName; readonly description: string }[] = [
  { name: 'Events', description: 'The events that the council can run on.' },
  { name: 'Reports', description: 'Check prices, buy reports and read them.' },
  {
    name: 'Batches',
    description: 'Many reports, bought one after the other within a budget, and their results.',
  },
  {
    name: 'Track record',
    description:
      'The accuracy of past reports, beside the market at the same moment. Public; every figure can be recomputed.',
  },
  { name: 'Credits', description: 'Prices, the balance and its ledger.' },
  { name: 'Billing', description: 'Credit packs and the metered subscription.' },
  {
    name: 'API keys',
    description: 'At most 20 live keys per account, and 100 new ones a day. Sessions only.',
  },
  {
    name: 'Provider keys',
    description: 'Your own keys for the vendors of the models, for the `byok` lane. Sessions only.',
  },
  {
    name: 'Webhooks',
    description: `Addresses that the service tells of what happens (Standard Webhooks 1.0), so that no program has to ask. At most ${webhooksPerAccount} per account. Sessions only.`,
  },
  {
    name: 'Accounts',
    description:
      'The built-in accounts. If the operator uses an identity provider, these paths do not exist and the provider issues the session tokens. The account library has further routes below `/api/auth` (changing a password, listing and ending sessions, linking other sign-ins). They are not part of this API and can change with any release.',
  },
  { name: 'Service', description: 'Health, readiness and this document.' },
];
