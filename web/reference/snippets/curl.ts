import { type Credential, type SampleRequest, targetOf } from './sample-request.js';

/** The request as a command for a POSIX shell. */
export function curlSnippet(request: SampleRequest, baseUrl: string): string {
  const { method, headers, body, credential } = request;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(baseUrl + targetOf(request))}`,
    ...credentialLines[credential],
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${String(value)}`)}`),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return lines.join(' \\\n  ');
}

const credentialLines: Readonly<Record<Credential, readonly string[]>> = {
  'api key': ['-H "X-API-Key: $COUNCIL_API_KEY"'],
  session: ['-H "Authorization: Bearer $COUNCIL_SESSION"'],
  cookie: ['-H "Cookie: $COUNCIL_COOKIE"'],
  none: [],
};

/** In single quotes, in which a shell interprets nothing. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
