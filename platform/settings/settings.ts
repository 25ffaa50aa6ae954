import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import type { Venue } from '../../council/event.js';
import type { SalesPolicy } from '../../purchase/house-ceilings.js';
import { usdMicrosPerUsd } from '../../purchase/limits.js';
import { type EncryptionKey, parseKeyRing } from '../keys/key-ring.js';
import { deploymentNameShape } from '../temporal/manifest.js';
import type { TargetPolicy } from '../webhooks/parse-target.js';
import {
  contentCapture,
  optionalText,
  origin,
  parseDailyLimit,
  parseMarkets,
  parseResearchDeadline,
  parseStageDeadlines,
  parseTrustedProxies,
  parseWorkerQueues,
  port,
  sender,
  url,
} from './setting-values.js';

const deploymentName = optionalText.pipe(deploymentNameShape.optional());

const databaseUrl = optionalText.pipe(z.url({ protocol: /^postgres(ql)?$/ }).optional());

/** All environment variables that the service reads. docs/configuration.md documents them. */
const variables = z.object({
  PORT: port.transform(value => value ?? 3_000),
  HOST: optionalText.transform(value => value ?? '127.0.0.1'),
  COUNCIL_HOME: optionalText.transform(value => value ?? '.council'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl,
  TEMPORAL_ADDRESS: optionalText,
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: optionalText,
  TEMPORAL_UI_PORT: port.transform(value => value ?? 8_233),
  OPENAI_API_KEY: optionalText,
  ANTHROPIC_API_KEY: optionalText,
  GEMINI_API_KEY: optionalText,
  XAI_API_KEY: optionalText,
  OPENAI_BASE_URL: url,
  ANTHROPIC_BASE_URL: url,
  GEMINI_BASE_URL: url,
  XAI_BASE_URL: url,
  OPENROUTER_BASE_URL: url,
  SIMULATOR_URL: origin.transform(value => (value === undefined ? undefined : new URL(value).origin)),
  COUNCIL_PROVIDERS: optionalText.pipe(z.enum(['live', 'simulated']).optional()),
  MARKETS: optionalText.transform(parseMarkets),
  WORKER_QUEUES: optionalText.transform(parseWorkerQueues),
  POLYMARKET_GAMMA_URL: url.transform(value => value ?? 'https://gamma-api.polymarket.com'),
  POLYMARKET_DATA_URL: url.transform(value => value ?? 'https://data-api.polymarket.com'),
  POLYMARKET_CLOB_URL: url.transform(value => value ?? 'https://clob.polymarket.com'),
  KALSHI_API_URL: url.transform(value => value ?? 'https://external-api.kalshi.com/trade-api/v2'),
  ENCRYPTION_KEYS: optionalText.transform(parseKeyRing),
  // A machine between them could answer with its own keys, and sign in as anybody.
  SESSION_JWKS_URL: url.refine(
    value => value === undefined || isProtected(new URL(value)),
    'must be https; http only to this machine (127.0.0.1, ::1, localhost)',
  ),
  SESSION_ISSUER: optionalText,
  SESSION_AUDIENCE: optionalText,
  STRIPE_SECRET_KEY: optionalText,
  STRIPE_WEBHOOK_SECRET: optionalText,
  // Stripe's SDK takes these three parts, and would drop a path.
  STRIPE_API_BASE: origin,
  PUBLIC_URL: origin.transform(value => (value === undefined ? undefined : new URL(value).origin)),
  TRUSTED_PROXIES: optionalText.transform(parseTrustedProxies),
  METRICS_PORT: port,
  SMTP_URL: optionalText.pipe(z.url({ protocol: /^smtps?$/ }).optional()),
  MAIL_FROM: sender,
  EMAIL_VERIFICATION: optionalText.pipe(z.enum(['required', 'off']).optional()),
  WEBHOOK_TARGETS: optionalText.pipe(z.enum(['public', 'any']).optional()),
  HOUSE_LIMIT_USD_PER_DAY: optionalText.transform(parseDailyLimit),
  GRANT_LIMIT_USD_PER_DAY: optionalText.transform(parseDailyLimit),
  TIMESTAMP_URL: url,
  TIMESTAMP_CA: optionalText,
  STAGE_DEADLINES_MS: optionalText.transform(parseStageDeadlines),
  EVIDENCE: optionalText.pipe(z.enum(['search', 'off']).optional()).transform(value => value ?? 'search'),
  RESEARCH_DEADLINE_MS: optionalText.transform(parseResearchDeadline),
  // OpenTelemetry's own name, which operators of several services set for all of them.
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: contentCapture,
});

/** The variables, with the defaults that depend on other variables filled in. */
export type Settings = Omit<z.output<typeof variables>, keyof Completed> & Completed;

interface Completed {
  readonly COUNCIL_PROVIDERS: 'live' | 'simulated';
  /** At least one; `sample` only alone. */
  readonly MARKETS: readonly Venue[];
  readonly EMAIL_VERIFICATION: 'required' | 'off';
  readonly WEBHOOK_TARGETS: TargetPolicy;
  /** The estimated model cost in US dollars that the house takes on in a UTC day; `Infinity` without a limit. */
  readonly HOUSE_LIMIT_USD_PER_DAY: number;
  /** The part of it that weekly grants may take. */
  readonly GRANT_LIMIT_USD_PER_DAY: number;
  readonly ENCRYPTION_KEYS: readonly EncryptionKey[] | undefined;
}

/** The environment of a process, as its entry point hands it in. */
export type Environment = Readonly<Record<string, string | undefined>>;

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
  const halfSet = together.filter(names => missingOf(names, settings).length > 0);
  const isLive = settings.COUNCIL_PROVIDERS === 'live';
  const unusedSimulator = settings.SIMULATOR_URL !== undefined && isLive;
  const unusedDirect = settings.DATABASE_DIRECT_URL !== undefined && settings.DATABASE_URL === undefined;
  const unusedCertificates = settings.TIMESTAMP_CA !== undefined && settings.TIMESTAMP_URL === undefined;
  const needsPublicUrl = settings.PUBLIC_URL === undefined && isLive && !isLoopback(settings.HOST);
  // Every account could then have requests sent into this network.
  const exposesNetwork = settings.WEBHOOK_TARGETS === 'any' && !isLoopback(settings.HOST);
  return {
    settings: {
      ...settings,
      ...(exposesNetwork ? { WEBHOOK_TARGETS: 'public' } : {}),
      ...Object.fromEntries(halfSet.flat().map(name => [name, undefined])),
      ...(unusedSimulator ? { SIMULATOR_URL: undefined } : {}),
      ...(unusedDirect ? { DATABASE_DIRECT_URL: undefined } : {}),
    },
    problems: [
      ...unknownNames(env).map(name => `${name}: there is no such setting`),
      ...issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
      ...halfSet.flatMap(names => {
        const present = names.filter(name => settings[name] !== undefined).join(' and ');
        const missing = missingOf(names, settings).filter(name => !invalid.has(name));
        return missing.map(name => `${name}: required with ${present}`);
      }),
      ...(unusedSimulator ? ['SIMULATOR_URL: only with COUNCIL_PROVIDERS=simulated'] : []),
      ...(unusedDirect ? ['DATABASE_DIRECT_URL: only with DATABASE_URL'] : []),
      ...(unusedCertificates ? ['TIMESTAMP_CA: only with TIMESTAMP_URL'] : []),
      ...(exposesNetwork ? ['WEBHOOK_TARGETS: any only with a HOST that nobody else can reach'] : []),
      ...(needsPublicUrl ? ['PUBLIC_URL: required with live models and a HOST that others can reach'] : []),
    ],
  };
}

function complete(raw: z.output<typeof variables>): Settings {
  const houseKeys = [raw.OPENAI_API_KEY, raw.ANTHROPIC_API_KEY, raw.GEMINI_API_KEY, raw.XAI_API_KEY];
  const providers =
    raw.COUNCIL_PROVIDERS ?? (houseKeys.some(key => key !== undefined) ? 'live' : 'simulated');
  const markets = raw.MARKETS ?? (providers === 'live' ? ['polymarket', 'kalshi'] : ['sample']);
  const isLive = providers === 'live';
  return {
    ...raw,
    COUNCIL_PROVIDERS: providers,
    MARKETS: markets,
    EMAIL_VERIFICATION: raw.EMAIL_VERIFICATION ?? (isLive ? 'required' : 'off'),
    WEBHOOK_TARGETS: raw.WEBHOOK_TARGETS ?? (!isLive && isLoopback(raw.HOST) ? 'any' : 'public'),
    HOUSE_LIMIT_USD_PER_DAY: raw.HOUSE_LIMIT_USD_PER_DAY ?? (isLive ? houseLimitUsdPerDay : Infinity),
    GRANT_LIMIT_USD_PER_DAY: raw.GRANT_LIMIT_USD_PER_DAY ?? (isLive ? grantLimitUsdPerDay : Infinity),
  };
}

const houseLimitUsdPerDay = 200;
const grantLimitUsdPerDay = 20;

/** The address of the service that callers use: scheme, host and port, without a path. */
export function publicUrlOf({
  PUBLIC_URL,
  HOST,
  PORT,
}: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  if (PUBLIC_URL !== undefined) return PUBLIC_URL;
  const host = isUnspecified(HOST) ? 'localhost' : HOST;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${PORT}`;
}

/** Whether the host stands for all addresses of this machine. A browser cannot open it. */
export function isUnspecified(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Whether only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0 ? host === 'localhost' : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Settings that mean something together only. Half of them would start a service that does something else than its
 * operator expects: one with built-in accounts in place of the identity provider, one that sells nothing, or one that
 * writes its mail to the log.
 */
const together = [
  ['SESSION_JWKS_URL', 'SESSION_ISSUER', 'SESSION_AUDIENCE'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const satisfies readonly (readonly (keyof Settings)[])[];

/** @returns those that are not set, if another is */
function missingOf(names: (typeof together)[number], settings: Settings): (keyof Settings)[] {
  const missing = names.filter(name => settings[name] === undefined);
  return missing.length === names.length ? [] : missing;
}

/** Read by the clients of the service: the command line and the MCP server. */
const clientVariables = ['COUNCIL_API_KEY', 'COUNCIL_BASE_URL'];
const known = new Set([...Object.keys(variables.shape), ...clientVariables]);
/** Prefixes of this service only. Desktops and other programs set variables that start with `SESSION_` or `STRIPE_`. */
const ownPrefix =
  /^(COUNCIL_|EVIDENCE|STAGE_DEADLINE|RESEARCH_DEADLINE|ENCRYPTION_KEY|POLYMARKET_|KALSHI_|TRUSTED_PROX|EMAIL_VERIF|HOUSE_LIMIT|GRANT_LIMIT|TIMESTAMP_|WEBHOOK_TARGET)/;

/** A misspelt name would otherwise be ignored silently. */
function unknownNames(env: Environment): string[] {
  return Object.keys(env).filter(name => ownPrefix.test(name) && !known.has(name));
}

/** What the operator decides about sales: the same in the API, which checks a purchase, and the worker, which sells. */
export function salesPolicyOf(
  settings: Pick<Settings, 'HOUSE_LIMIT_USD_PER_DAY' | 'GRANT_LIMIT_USD_PER_DAY' | 'EMAIL_VERIFICATION'>,
): SalesPolicy {
  return {
    houseLimitUsdMicros: settings.HOUSE_LIMIT_USD_PER_DAY * usdMicrosPerUsd,
    grantLimitUsdMicros: settings.GRANT_LIMIT_USD_PER_DAY * usdMicrosPerUsd,
    grantNeedsVerifiedAddress: settings.EMAIL_VERIFICATION === 'required',
  };
}
