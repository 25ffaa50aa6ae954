import { type DestinationStream, type Level, type Logger, pino } from 'pino';

export interface LoggerOptions {
  readonly level?: Level;
  /** Standard error, unless told. */
  readonly to?: DestinationStream;
}

/**
 * Structured logs on standard error, one JSON object a line. Secrets are taken out of the finished line, and not of single
 * fields before: an error of a library may carry the headers of a request anywhere within it.
 */
export function createLogger(
  process: 'api' | 'worker' | 'start' | 'migrate',
  { level = 'info', to = pino.destination(2) }: LoggerOptions = {},
): Logger {
  const { err } = pino.stdSerializers;
  return pino(
    // The Temporal SDK names its errors `error`; unserialised, an error is `{}`.
    { base: { process }, level, serializers: { err, error: err }, hooks: { streamWrite: withoutSecrets } },
    to,
  );
}

const removed = '[removed]';

/**
 * A line of JSON without what only its owner may know: the values of fields that are named like a secret, at whatever depth,
 * and whatever looks like one in any text. What is removed in vain costs a reader a moment; what is left in, an account.
 */
export function withoutSecrets(line: string): string {
  if (!suspicion.test(line)) return line;
  return shapes.reduce((text, [shape, instead]) => text.replace(shape, instead), line);
}

/** Most lines hold nothing of the kind, and are told by one look. */
const suspicion =
  /(?:password|secret|token|key|keys|authorization|cookie|url|string)\\*"\s*:|pc_live_|bearer|basic |eyJ|[srp]k[-_]|whsec_|xai-|AIza|session_|[?&]|:\/\//i;

/** Names of fields, as they are spelt in headers, in settings and in code. */
const names = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  '[\\w-]*password',
  '[\\w-]*secret',
  '[\\w-]*token',
  '(?:[\\w-]*[_-])?key',
  '\\w*apikey',
  'encryption_keys',
  'database_?url',
  'connectionstring',
].join('|');

/** A text; a list without lists in it; an object without objects in it, as a `Buffer` is; a number. */
const value = String.raw`"(?:[^"\\]|\\.)*"|\[[^[\]]*\]|\{[^{}]*\}|[\d.eE+-]+`;

const shapes: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`("(?:${names})"\\s*:\\s*)(?:${value})`, 'gi'), `$1"${removed}"`],
  // The same within a text that is JSON itself.
  [
    new RegExp(String.raw`((?<!\\)(\\+)"(?:${names})\2"\s*:\s*\2")(?:(?!(?<!\\)\2").)*`, 'gi'),
    `$1${removed}`,
  ],
  // Keys of this service and of the vendors, tokens, cookies, and addresses with a password in them.
  [/\bpc_live_\w+/g, `pc_live_${removed}`],
  [/\b(Bearer|Basic)\s+[^\s"\\,;]+/gi, `$1 ${removed}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g, removed],
  [/\b(?:sk|rk|pk)[-_][\w-]{8,}/g, removed],
  [/\b(?:whsec_|xai-|AIza)[\w-]{8,}/g, removed],
  [/(session_(?:token|data))=[^\s"\\;,]+/gi, `$1=${removed}`],
  [/([?&](?:api_?key|key|token|password|secret)=)[^\s"\\&#]+/gi, `$1${removed}`],
  [/(\w:\/\/)[^\s"\\/@]+@/g, `$1${removed}@`],
];
