import { type Credential, credentialVariables, type SampleRequest } from './sample-request.js';

/** The request as a TypeScript module, with the client package. */
export function typescriptSnippet(request: SampleRequest, baseUrl: string): string {
  const { credential } = request;
  const options = [`baseUrl: ${text(baseUrl)}`, ...credentialOptions[credential]].join(', ');
  return [
    ...(credential === 'none' ? [] : [`import { env } from ${text('node:process')};`]),
    `import { CouncilReports } from ${text('council-report-client')};`,
    '',
    `const council = new CouncilReports({ ${options} });`,
    ...callLines(request),
  ].join('\n');
}

function callLines({ method, template, path, query, headers, body, isStream }: SampleRequest): string[] {
  if (isStream) return [`for await (const event of ${eventsCall(template, path)}) console.log(event);`];
  const lines = [
    ...fieldLines('path', path),
    ...fieldLines('query', query),
    ...fieldLines('headers', headers),
    ...(body === undefined ? [] : [`  body: ${literal(body).replaceAll('\n', '\n  ')},`]),
  ];
  const endpoint = text(`${method} ${template}`);
  return [
    ...(lines.length === 0
      ? [`const answer = await council.request(${endpoint});`]
      : [`const answer = await council.request(${endpoint}, {`, ...lines, '});']),
    'console.log(answer);',
  ];
}

/** The client has a method for each stream: `/api/reports/{id}/events` is `reports.events`. */
function eventsCall(template: string, { id = '' }: SampleRequest['path']): string {
  const [, resource = ''] = /^\/api\/(\w+)\//.exec(template) ?? [];
  const named = String(id);
  return `council.${resource}.events(${/^\d+$/.test(named) ? named : text(named)})`;
}

function fieldLines(name: string, values: SampleRequest['path']): string[] {
  const entries = Object.entries(values).map(([key, value]) => `${keyText(key)}: ${literal(value)}`);
  return entries.length === 0 ? [] : [`  ${name}: { ${entries.join(', ')} },`];
}

const keyText = (key: string) => (plainName.test(key) ? key : text(key));

const plainName = /^[A-Za-z_]\w*$/;

const valueOf = (credential: keyof typeof credentialVariables) =>
  `env[${text(credentialVariables[credential])}]`;

const credentialOptions: Readonly<Record<Credential, readonly string[]>> = {
  'api key': [`apiKey: ${valueOf('api key')}`],
  session: [`apiKey: ${valueOf('session')}`],
  cookie: [`headers: { cookie: ${valueOf('cookie')} ?? '' }`],
  none: [],
};

/** As a formatter writes it: single quotes, and none around plain names. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(
    /"((?:[^"\\]|\\.)*)"(:?)/g,
    (all, inner: string, colon) => {
      if (colon === ':' && plainName.test(inner)) return `${inner}:`;
      return `${text(String(JSON.parse(all.replace(/:$/, ''))))}${String(colon)}`;
    },
  );
}

function text(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1);
  return `'${inner.replaceAll(String.raw`\"`, '"').replaceAll("'", String.raw`\'`)}'`;
}
