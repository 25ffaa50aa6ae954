import { type Credential, credentialVariables, type SampleRequest, targetOf } from './sample-request.js';

/** The request as a TypeScript module, which needs nothing but `fetch`. */
export function typescriptSnippet(request: SampleRequest, baseUrl: string): string {
  const { method, headers, body, credential } = request;
  const sent = [
    ...credentialLines[credential],
    ...Object.entries(headers).map(([name, value]) => `${text(name)}: ${text(String(value))}`),
    ...(body === undefined ? [] : ["'content-type': 'application/json'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    ...(sent.length === 0 ? [] : ['  headers: {', ...sent.map(line => `    ${line},`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body).replaceAll('\n', '\n  ')}),`]),
  ];
  const url = text(baseUrl + targetOf(request));
  return [
    ...(credential === 'none' ? [] : [`import { env } from ${text('node:process')};`, '']),
    ...(options.length === 0
      ? [`const response = await fetch(${url});`]
      : [`const response = await fetch(${url}, {`, ...options, '});']),
    'console.log(response.status, await response.text());',
  ].join('\n');
}

const valueOf = (credential: keyof typeof credentialVariables) =>
  `env[${text(credentialVariables[credential])}]`;

const credentialLines: Readonly<Record<Credential, readonly string[]>> = {
  'api key': [`'x-api-key': ${valueOf('api key')} ?? ''`],
  session: [`authorization: \`Bearer \${${valueOf('session')}}\``],
  cookie: [`cookie: ${valueOf('cookie')} ?? ''`],
  none: [],
};

/** As a formatter writes it: single quotes, and none around plain names. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /"((?:[^"\\]|\\.)*)"(:?)/g,
    (all, inner: string, colon) => {
      if (colon === ':' && /^[A-Za-z_]\w*$/.test(inner)) return `${inner}:`;
      return `${text(String(JSON.parse(all.replace(/:$/, ''))))}${String(colon)}`;
    },
  );
}

function text(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}
