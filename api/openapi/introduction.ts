import {
  bodyMaxBytes,
  idempotencyKeptHours,
  requestsPerMinutePerAddress,
  requestsPerMinutePerCredential,
  runsPerHour,
  waitMaxSeconds,
} from '../../council/limits.js';
import type { TagName } from './operation.js';

const inThousands = (count: number) => count.toLocaleString('en');

/** What a reader should know before any single operation. Markdown. */
export const introduction = `
Puts a prediction-market event before a council of four AI models and sells the report: a verdict on the market, pooled
probabilities, the whole deliberation, and ranked bets with their arithmetic. A run that fails is given back by itself.

**The way through:** search an event (\`GET /api/events\`), ask what a report on it costs you
(\`GET /api/reports/check/{event_id}\`), buy it at that price and no other (\`POST /api/reports\` with \`quoted_credits\`), and
read it until it is \`completed\` or \`failed\` (\`GET /api/reports/{id}\` with \`Prefer: wait=30\`). A run takes 30 to 120 seconds.

**Credentials.** An API key (\`X-API-Key\`, or \`Authorization: Bearer\`) or a session token opens everything that concerns one
account, but for API keys and provider keys themselves, which take a session only. What belongs to another account is answered
like what does not exist.

**Errors.** Every answer outside 2xx and 3xx is \`application/problem+json\` (RFC 9457). Branch on \`code\`; the list is closed. A
method that a path does not have is \`method_not_allowed\` (405) with \`Allow\`, a path that does not exist \`not_found\`. A body must
be JSON in UTF-8 of at most ${inThousands(bodyMaxBytes)} bytes, also where none is asked for.

**Retries.** \`unavailable\` means that nothing was charged, and nothing will be. A purchase with an \`Idempotency-Key\` may be sent
again for ${idempotencyKeptHours} hours and happens once; without one, asking again for the same event on the same UTC day gives the same report,
free. Wherever there is a \`Retry-After\`, it is worth asking again after so many seconds.

**Limits.** ${runsPerHour} fresh runs an hour for an account; ${inThousands(requestsPerMinutePerAddress)} requests a minute from one address and ${inThousands(requestsPerMinutePerCredential)} by one
credential. \`RateLimit\` and \`RateLimit-Policy\` say how many are left. A \`Prefer: wait\` holds for ${waitMaxSeconds} seconds at most.

**Money.** Amounts are whole credits, prices of packs whole US cents, and nothing tells what the models cost the house. Percentages
have one decimal at most; where exactly one outcome wins they add up to 100.

**Change.** Fields and values of open lists may be added at any time: ignore what you do not know. Nothing is taken away or
renamed without a new path. Times are ISO 8601 in UTC.
`.trim();

/** The chapters of the reference, in the order in which a newcomer wants them. */
export const tags: readonly { readonly name: TagName; readonly description: string }[] = [
  { name: 'Events', description: 'What can be put before a council.' },
  { name: 'Reports', description: 'Asking the price, buying, reading.' },
  {
    name: 'Track record',
    description:
      'How good the reports were, beside the market at the same instant. Public, and every figure can be redone.',
  },
  { name: 'Credits', description: 'Prices, the balance, and what moved it.' },
  { name: 'Billing', description: 'Buying credits, and the metered subscription.' },
  { name: 'API keys', description: 'At most 20 live ones an account. With a session only.' },
  {
    name: 'Provider keys',
    description: 'Your own keys for the models’ vendors, for the `byok` lane. With a session only.',
  },
  {
    name: 'Accounts',
    description:
      'The built-in accounts. Where the operator uses an identity provider of their own, these paths do not exist, and that provider gives the session tokens. The account library has further routes below `/api/auth` (changing a password, listing and ending sessions, linking other sign-ins): they are deliberately not described here, may change with any release, and are not to be built upon.',
  },
  { name: 'Service', description: 'Whether it is there, and this description of it.' },
];
