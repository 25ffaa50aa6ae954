import { z } from 'zod';
import type { Stage } from '../council/deliberation/stages.js';
import { type EncryptionKey, parseKeyRing } from './keys/key-ring.js';

const text = z
  .string()
  .optional()
  .transform(value => value?.trim() || undefined);
const url = text.pipe(z.url({ protocol: /^https?$/ }).optional());
const port = text
  .transform(value => (value === undefined ? undefined : Number(value)))
  .pipe(z.int().min(0).max(65_535).optional());

/** Everything that can be set from outside (`contract` §1), and nothing else. */
const variables = z.object({
  PORT: port.transform(value => value ?? 3_000),
  HOST: text.transform(value => value ?? '127.0.0.1'),
  COUNCIL_HOME: text.transform(value => value ?? '.council'),
  DATABASE_URL: text.pipe(z.url({ protocol: /^postgres(ql)?$/ }).optional()),
  TEMPORAL_ADDRESS: text,
  TEMPORAL_UI_PORT: port.transform(value => value ?? 8_233),
  OPENAI_API_KEY: text,
  ANTHROPIC_API_KEY: text,
  GEMINI_API_KEY: text,
  XAI_API_KEY: text,
  OPENAI_BASE_URL: url,
  ANTHROPIC_BASE_URL: url,
  GEMINI_BASE_URL: url,
  XAI_BASE_URL: url,
  OPENROUTER_BASE_URL: url,
  COUNCIL_PROVIDERS: text.pipe(z.enum(['live', 'simulated']).optional()),
  MARKETS: text.pipe(z.enum(['polymarket', 'sample']).optional()),
  POLYMARKET_GAMMA_URL: url.transform(value => value ?? 'https://gamma-api.polymarket.com'),
  ENCRYPTION_KEYS: text.transform(parseKeyRing),
  SESSION_JWKS_URL: url,
  SESSION_ISSUER: text,
  SESSION_AUDIENCE: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  STRIPE_API_BASE: url,
  STAGE_DEADLINES_MS: text.transform(parseStageDeadlines),
});

/** The variables as they stand, with what follows from one another filled in. */
export type Settings = Omit<z.output<typeof variables>, 'COUNCIL_PROVIDERS' | 'MARKETS'> & {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
  readonly MARKETS: 'polymarket' | 'sample';
  readonly ENCRYPTION_KEYS: readonly EncryptionKey[] | undefined;
};

/**
 * Reads the environment once.
 * @throws Error that names every variable that is unknown or has a bad value, never what the value was.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const result = variables.safeParse(env);
  const problems = [
    ...unknownNames(env).map(name => `${name}: there is no such setting`),
    ...(result.error?.issues ?? []).map(issue => `${issue.path.join('.')}: ${issue.message}`),
  ];
  if (result.data !== undefined && problems.length === 0) {
    const settings = complete(result.data);
    const missing = outsideIdentityGaps(settings);
    if (missing.length === 0) return settings;
    problems.push(...missing.map(name => `${name}: needed where SESSION_JWKS_URL is set`));
  }
  throw new Error(`The configuration is not valid:\n${problems.map(line => `  ${line}`).join('\n')}`);
}

function complete(raw: z.output<typeof variables>): Settings {
  const houseKeys = [raw.OPENAI_API_KEY, raw.ANTHROPIC_API_KEY, raw.GEMINI_API_KEY, raw.XAI_API_KEY];
  const providers =
    raw.COUNCIL_PROVIDERS ?? (houseKeys.some(key => key !== undefined) ? 'live' : 'simulated');
  const markets = raw.MARKETS ?? (providers === 'live' ? 'polymarket' : 'sample');
  return { ...raw, COUNCIL_PROVIDERS: providers, MARKETS: markets };
}

/** A token of an outside provider is only worth something with an issuer and an audience to hold it to. */
function outsideIdentityGaps(settings: Settings): string[] {
  if (settings.SESSION_JWKS_URL === undefined) return [];
  return (['SESSION_ISSUER', 'SESSION_AUDIENCE'] as const).filter(name => settings[name] === undefined);
}

/** Read by the command line and the MCP server, which are clients of the service. */
const clientVariables = ['COUNCIL_API_KEY', 'COUNCIL_BASE_URL'];
const known = new Set([...Object.keys(variables.shape), ...clientVariables]);
/** Names nobody else would use. (`SESSION_…` and `STRIPE_…` are not: desktops and other programs set such.) */
const ours = /^(COUNCIL_|STAGE_DEADLINE|ENCRYPTION_KEY|POLYMARKET_)/;

/** A misspelt name would otherwise be a setting silently ignored. */
function unknownNames(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter(name => ours.test(name) && !known.has(name));
}

/** Milliseconds that each stage may take, all attempts of all its models included. */
export type StageDeadlines = Readonly<Record<Stage, number>>;

/** Together they keep a report within 120 s, whatever happens. */
const defaultDeadlines: StageDeadlines = { opinions: 45_000, cross_review: 40_000, synthesis: 30_000 };

/** Parses `opinions,cross_review,synthesis`. */
function parseStageDeadlines(value: string | undefined, context: z.RefinementCtx): StageDeadlines {
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

function isDeadline(value: number | undefined): value is number {
  return Number.isInteger(value) && value !== undefined && value >= 100;
}
