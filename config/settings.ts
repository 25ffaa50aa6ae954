import { z } from 'zod';
import type { Stage } from '../council/deliberation/stages.js';
import { type EncryptionKey, parseKeyRing } from './keys/key-ring.js';
import { deploymentNameShape } from './temporal/manifest.js';

const text = z
  .string()
  .optional()
  .transform(value => value?.trim() || undefined);
const url = text.pipe(z.url({ protocol: /^https?$/ }).optional());
const origin = url.refine(
  value => value === undefined || new URL(value).href === `${new URL(value).origin}/`,
  'must be a protocol, a host and a port, without a path or a user',
);
const deploymentName = text.pipe(deploymentNameShape.optional());
const port = text
  .transform(value => (value === undefined ? undefined : Number(value)))
  .pipe(z.int().min(0).max(65_535).optional());

/** All environment variables that the service reads. docs/configuration.md documents them. */
const variables = z.object({
  PORT: port.transform(value => value ?? 3_000),
  HOST: text.transform(value => value ?? '127.0.0.1'),
  COUNCIL_HOME: text.transform(value => value ?? '.council'),
  DATABASE_URL: text.pipe(z.url({ protocol: /^postgres(ql)?$/ }).optional()),
  TEMPORAL_ADDRESS: text,
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: text,
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
  SIMULATOR_URL: origin.transform(value => (value === undefined ? undefined : new URL(value).origin)),
  COUNCIL_PROVIDERS: text.pipe(z.enum(['live', 'simulated']).optional()),
  MARKETS: text.pipe(z.enum(['polymarket', 'sample']).optional()),
  POLYMARKET_GAMMA_URL: url.transform(value => value ?? 'https://gamma-api.polymarket.com'),
  ENCRYPTION_KEYS: text.transform(parseKeyRing),
  SESSION_JWKS_URL: url,
  SESSION_ISSUER: text,
  SESSION_AUDIENCE: text,
  STRIPE_SECRET_KEY: text,
  STRIPE_WEBHOOK_SECRET: text,
  // Stripe's SDK takes these three parts, and would drop a path.
  STRIPE_API_BASE: origin,
  TIMESTAMP_URL: url,
  STAGE_DEADLINES_MS: text.transform(parseStageDeadlines),
  EVIDENCE: text.pipe(z.enum(['search', 'off']).optional()).transform(value => value ?? 'search'),
  RESEARCH_DEADLINE_MS: text.transform(parseResearchDeadline),
});

/** The variables, with the defaults that depend on other variables filled in. */
export type Settings = Omit<z.output<typeof variables>, 'COUNCIL_PROVIDERS' | 'MARKETS'> & {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
  readonly MARKETS: 'polymarket' | 'sample';
  readonly ENCRYPTION_KEYS: readonly EncryptionKey[] | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment once.
 * @throws Error that names every variable that is unknown or invalid, without its value
 */
export function readSettings(env: Environment): Settings {
  const { settings, problems } = readSettingsTolerantly(env);
  if (problems.length === 0) return settings;
  throw new Error(`The configuration is not valid:\n${problems.map(line => `  ${line}`).join('\n')}`);
}

/** Reads the environment as if invalid variables were unset. @returns the settings, and a sentence for each problem */
export function readSettingsTolerantly(env: Environment): {
  readonly settings: Settings;
  readonly problems: readonly string[];
} {
  const issues = variables.safeParse(env).error?.issues ?? [];
  const invalid = new Set(issues.map(({ path: [name] }) => name));
  const valid = Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.has(name)));
  const settings = complete(variables.parse(valid));
  const missing = missingTokenSettings(settings);
  const unusedSimulator = settings.SIMULATOR_URL !== undefined && settings.COUNCIL_PROVIDERS === 'live';
  return {
    settings: {
      ...settings,
      ...(missing.length === 0 ? {} : { SESSION_JWKS_URL: undefined }),
      ...(unusedSimulator ? { SIMULATOR_URL: undefined } : {}),
    },
    problems: [
      ...unknownNames(env).map(name => `${name}: there is no such setting`),
      ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
      ...missing.map(name => `${name}: required with SESSION_JWKS_URL`),
      ...(unusedSimulator ? ['SIMULATOR_URL: only with COUNCIL_PROVIDERS=simulated'] : []),
    ],
  };
}

function complete(raw: z.output<typeof variables>): Settings {
  const houseKeys = [raw.OPENAI_API_KEY, raw.ANTHROPIC_API_KEY, raw.GEMINI_API_KEY, raw.XAI_API_KEY];
  const providers =
    raw.COUNCIL_PROVIDERS ?? (houseKeys.some(key => key !== undefined) ? 'live' : 'simulated');
  const markets = raw.MARKETS ?? (providers === 'live' ? 'polymarket' : 'sample');
  return { ...raw, COUNCIL_PROVIDERS: providers, MARKETS: markets };
}

/** Tokens of an external identity provider can only be verified with an issuer and an audience. */
function missingTokenSettings(settings: Settings): string[] {
  if (settings.SESSION_JWKS_URL === undefined) return [];
  return (['SESSION_ISSUER', 'SESSION_AUDIENCE'] as const).filter(name => settings[name] === undefined);
}

/** Read by the clients of the service: the command line and the MCP server. */
const clientVariables = ['COUNCIL_API_KEY', 'COUNCIL_BASE_URL'];
const known = new Set([...Object.keys(variables.shape), ...clientVariables]);
/** Prefixes of this service only. Desktops and other programs set variables that start with `SESSION_` or `STRIPE_`. */
const ownPrefix = /^(COUNCIL_|EVIDENCE|STAGE_DEADLINE|RESEARCH_DEADLINE|ENCRYPTION_KEY|POLYMARKET_)/;

/** A misspelt name would otherwise be ignored silently. */
function unknownNames(env: Environment): string[] {
  return Object.keys(env).filter(name => ownPrefix.test(name) && !known.has(name));
}

/** The longest time of each stage in milliseconds, with all attempts of all its models. */
export type StageDeadlines = Readonly<Record<Stage, number>>;

/** With 30 s of research, they leave 5 s of the 120 s that a report may take for everything that no model does. */
const defaultDeadlines: StageDeadlines = { opinions: 35_000, cross_review: 30_000, synthesis: 20_000 };

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

function parseResearchDeadline(value: string | undefined, context: z.RefinementCtx): number {
  const milliseconds = value === undefined ? defaultResearchDeadlineMs : Number(value);
  if (isDeadline(milliseconds)) return milliseconds;
  context.addIssue({ code: 'custom', message: 'must be a whole number of milliseconds, at least 100' });
  return defaultResearchDeadlineMs;
}

const defaultResearchDeadlineMs = 30_000;

function isDeadline(value: number | undefined): value is number {
  return Number.isInteger(value) && value !== undefined && value >= 100;
}
