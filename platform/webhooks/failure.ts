/** Why no answer came, as a sentence for the owner of an endpoint: the kind of failure, and nothing of this network. */
export function failureOf(error: unknown): string {
  const code = textOf(error, 'code');
  if (isFaultOfDns(error, code)) return 'The name servers of the host do not answer.';
  return (
    sentences[code] ?? families.find(([shape]) => shape.test(code))?.[1] ?? `The request failed (${code}).`
  );
}

/** Of several addresses that were tried, the error has the code of the first. */
function textOf(error: unknown, field: 'code' | 'syscall'): string {
  const value =
    error instanceof Error ? new Map<string, unknown>(Object.entries(error)).get(field) : undefined;
  return typeof value === 'string' ? value.slice(0, codeMaxLength) : 'unknown';
}

const codeMaxLength = 60;

/** `ECONNREFUSED` of a query tells of the name server, not of the host. */
function isFaultOfDns(error: unknown, code: string): boolean {
  return /^(query|getaddrinfo)/.test(textOf(error, 'syscall')) && !['ENOTFOUND', 'ENODATA'].includes(code);
}

const unresolved = 'The name of the host does not resolve.';
const unreachable = 'The host cannot be reached.';
const brokenOff = 'The connection broke off before an answer.';

const sentences: Readonly<Record<string, string>> = {
  ENOTFOUND: unresolved,
  ENODATA: unresolved,
  ECONNREFUSED: 'The host refused the connection.',
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ECONNRESET: brokenOff,
  EPIPE: brokenOff,
  HPE_HEADER_OVERFLOW: 'The headers of the answer are too long.',
};

/** OpenSSL's names of what is wrong with a certificate, of a handshake, and the parser's of a response. */
const families: readonly (readonly [RegExp, string])[] = [
  [
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/,
    'The certificate of the host is not valid for its name, or not trusted.',
  ],
  [/^ERR_SSL|^EPROTO/, 'The host did not accept TLS.'],
  [/^HPE_/, 'The answer was not valid HTTP.'],
];
