import { isIP } from 'node:net';
import { z } from 'zod';
import type { Stage } from '../../council/deliberation/stages.js';
import { type Venue, venues } from '../../council/event.js';
import { parseUrl } from '../../council/parse-url.js';

/** A text; empty counts as unset. */
export const optionalText = z
  .string()
  .optional()
  .transform(value => value?.trim() || undefined);

export const url = optionalText.pipe(z.url({ protocol: /^https?$/ }).optional());

export const origin = url.refine(
  value => value === undefined || isOrigin(parseUrl(value)),
  'must be a protocol, a host and a port, without a path or a user',
);

function isOrigin(value: URL | null): boolean {
  return value?.href === `${value?.origin}/`;
}

/** The sender of mails: an address, or a name and an address in angle brackets. */
export const sender = optionalText.refine(
  value =>
    value === undefined || /^([^<>@\r\n]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/.test(value),
  'must be an e-mail address, such as `Council <council@example.com>`',
);

export const port = optionalText
  .transform(value => (value === undefined ? undefined : Number(value)))
  .pipe(z.int().min(0).max(65_535).optional());

/**
 * Whether spans contain what models are asked and answer. Libraries of OpenTelemetry take `true` and `false`, or a place:
 * events are none of ours.
 */
export const contentCapture = optionalText
  .transform(value => value?.toUpperCase())
  .pipe(z.enum(['TRUE', 'SPAN_ONLY', 'SPAN_AND_EVENT', 'FALSE', 'EVENT_ONLY', 'NO_CONTENT']).optional())
  .transform(value => value === 'TRUE' || (value?.startsWith('SPAN_') ?? false));

/** The longest time of each stage in milliseconds, with all attempts of all its models. */
export type StageDeadlines = Readonly<Record<Stage, number>>;

/** With 30 s of research, they leave 5 s of the 120 s that a report may take for everything that no model does. */
const defaultDeadlines: StageDeadlines = { opinions: 35_000, cross_review: 30_000, synthesis: 20_000 };

/** Parses `opinions,cross_review,synthesis`. */
export function parseStageDeadlines(value: string | undefined, context: z.RefinementCtx): StageDeadlines {
  if (value === undefined) return defaultDeadlines;
  const [opinions, review, synthesis, ...rest] = value.split(',').map(part => Number(part.trim()));
  if (isDeadline(opinions) && isDeadline(review) && isDeadline(synthesis) && rest.length === 0) {
    return { opinions, cross_review: review, synthesis };
  }
  context.addIssue({
    code: 'custom',
    message: 'must be three whole numbers of milliseconds, at least 100 each',
  });
  return defaultDeadlines;
}

export function parseResearchDeadline(value: string | undefined, context: z.RefinementCtx): number {
  const milliseconds = value === undefined ? defaultResearchDeadlineMs : Number(value);
  if (isDeadline(milliseconds)) return milliseconds;
  context.addIssue({ code: 'custom', message: 'must be a whole number of milliseconds, at least 100' });
  return defaultResearchDeadlineMs;
}

const defaultResearchDeadlineMs = 30_000;

function isDeadline(value: number | undefined): value is number {
  return Number.isInteger(value) && value !== undefined && value >= 100;
}

/** Parses comma-separated addresses and networks (CIDR), such as `10.0.0.0/8, ::1`. */
export function parseTrustedProxies(value: string | undefined, context: z.RefinementCtx): readonly string[] {
  const networks = (value ?? '').split(',').map(part => part.trim());
  const named = networks.filter(network => network !== '');
  if (named.every(isNetwork)) return named;
  context.addIssue({ code: 'custom', message: 'must be addresses or networks (CIDR), separated by commas' });
  return [];
}

function isNetwork(network: string): boolean {
  const [address = '', bits, ...rest] = network.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** Parses comma-separated venues. The bundled events stand alone: they would be offered beside real ones. */
export function parseMarkets(
  value: string | undefined,
  context: z.RefinementCtx,
): readonly Venue[] | undefined {
  if (value === undefined) return undefined;
  const named = namesIn(value, venues);
  if (named?.length === 1 || named?.includes('sample') === false) return named;
  context.addIssue({
    code: 'custom',
    message: 'must be `polymarket`, `kalshi`, both separated by a comma, or `sample` alone',
  });
  return undefined;
}

/** What a worker process can take tasks from: the runs with their steps, the calls of all members, the tries of webhooks. */
export const workerQueues = ['reports', 'model-calls', 'webhooks'] as const;
export type WorkerQueue = (typeof workerQueues)[number];

/** Parses names of queues, separated by commas. */
export function parseWorkerQueues(
  value: string | undefined,
  context: z.RefinementCtx,
): readonly WorkerQueue[] {
  if (value === undefined) return workerQueues;
  const named = namesIn(value, workerQueues);
  if (named !== null) return named;
  context.addIssue({
    code: 'custom',
    message: `must be some of ${workerQueues.map(queue => `\`${queue}\``).join(', ')}, separated by commas`,
  });
  return workerQueues;
}

/** The known names of a list that commas separate, in their own order; null if it has another name, or one twice. */
function namesIn<Name extends string>(value: string, known: readonly Name[]): readonly Name[] | null {
  const names = value.split(',').map(part => part.trim());
  const named = known.filter(name => names.includes(name));
  return named.length === names.length ? named : null;
}

/** Parses US dollars per day, or `unlimited`. */
export function parseDailyLimit(value: string | undefined, context: z.RefinementCtx): number | undefined {
  if (value === undefined) return undefined;
  if (value === 'unlimited') return Infinity;
  if (/^\d{1,9}(\.\d{1,6})?$/.test(value)) return Number(value);
  context.addIssue({ code: 'custom', message: 'must be a number of US dollars, or `unlimited`' });
  return undefined;
}
