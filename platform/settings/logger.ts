import { type DestinationStream, type Level, type Logger, pino } from 'pino';

export interface LoggerOptions {
  readonly level?: Level;
  /** Standard error by default. */
  readonly to?: DestinationStream;
}

/**
 * Structured logs on standard error, one JSON object per line. Secrets are removed from the finished line, not from
 * single fields: an error of a library may contain the headers of a request anywhere.
 */
export function createLogger(
  process: 'api' | 'worker' | 'start' | 'migrate' | 'council',
  { level = 'info', to = pino.destination(2) }: LoggerOptions = {},
): Logger {
  const { err } = pino.stdSerializers;
  return pino(
    // The Temporal SDK names its errors `error`; unserialised, an error is `{}`.
    { base: { process }, level, serializers: { err, error: err }, hooks: { streamWrite: withoutSecrets } },
    to,
  );
}

/**
 * The log of the mails of a service without a mail server: one line a mail. Its links would lose their tokens in the
 * other log, and the operator could not open them. Nothing else is written to it.
 */
export function createMailLog(to: DestinationStream = pino.destination(2)): Logger {
  return pino({ base: { process: 'api' } }, to);
}

const removed = '[removed]';

/**
 * Removes secrets from a line of JSON: the values of fields named like a secret, at any depth, and everything in a text
 * that looks like one. Removing too much is harmless; removing too little can cost an account.
 */
export function withoutSecrets(line: string): string {
  if (!suspicion.test(line)) return line;
  return shapes.reduce((text, [shape, instead]) => text.replace(shape, instead), line);
}

/** A fast check, because most lines contain no secret. */
const suspicion =
  /(?:password|secret|token|key|keys|authorization|cookie|url|string)\\*"\s*:|pc_live_|bearer|basic |eyJ|[srp]k[-_]|whsec_|xai-|AIza|session_|[?&]|:\/\//i;

/** Names of fields, as in headers, settings and code. */
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

/** A string; a list without nested lists; an object without nested objects, such as a `Buffer`; a number. */
const value = String.raw`"(?:[^"\\]|\\.)*"|\[[^[\]]*\]|\{[^{}]*\}|[\d.eE+-]+`;

const shapes: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`("(?:${names})"\\s*:\\s*)(?:${value})`, 'gi'), `$1"${removed}"`],
  // The same in a string that is JSON itself.
  [
    new RegExp(String.raw`((?<!\\)(\\+)"(?:${names})\2"\s*:\s*\2")(?:(?!(?<!\\)\2").)*`, 'gi'),
    `$1${removed}`,
  ],
  // Keys of this service and of the vendors, tokens, cookies, and URLs with a password.
  [/\bpc_live_\w+/g, `pc_live_${removed}`],
  [/\b(Bearer|Basic)\s+[^\s"\\,;]+/gi, `$1 ${removed}`],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g, removed],
  [/\b(?:sk|rk|pk)[-_][\w-]{8,}/g, removed],
  [/\b(?:whsec_|xai-|AIza)[\w-]{8,}/g, removed],
  [/(session_(?:token|data))=[^\s"\\;,]+/gi, `$1=${removed}`],
  [/([?&](?:api_?key|key|token|password|secret)=)[^\s"\\&#]+/gi, `$1${removed}`],
  [/(\w:\/\/)[^\s"\\/@]+@/g, `$1${removed}@`],
];
