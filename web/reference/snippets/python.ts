import { type Credential, type SampleRequest, targetOf } from './sample-request.js';

/** The request as a program for Python 3.9 or later, with nothing but its standard library. */
export function pythonSnippet(request: SampleRequest, baseUrl: string): string {
  const { method, headers, body, credential } = request;
  const all = [
    ...credentialEntries[credential],
    ...Object.entries(headers).map(([name, value]) => [name, JSON.stringify(String(value))] as const),
    ...(body === undefined ? [] : [['Content-Type', '"application/json"'] as const]),
  ];
  const url = JSON.stringify(baseUrl + targetOf(request));
  const options = [
    ...(method === 'GET' ? [] : [`method=${JSON.stringify(method)},`]),
    ...(all.length === 0
      ? []
      : ['headers={', ...all.map(([name, value]) => `    ${JSON.stringify(name)}: ${value},`), '},']),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body)}).encode(),`]),
  ].flatMap(each => each.split('\n'));
  return [
    ...(body === undefined ? [] : ['import json']),
    ...(credential === 'none' ? [] : ['import os']),
    'import urllib.request',
    '',
    ...(options.length === 0
      ? [`request = urllib.request.Request(${url})`]
      : ['request = urllib.request.Request(', ...[`${url},`, ...options].map(line => `    ${line}`), ')']),
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

const credentialEntries: Readonly<Record<Credential, readonly (readonly [name: string, value: string])[]>> = {
  'api key': [['X-API-Key', 'os.environ["COUNCIL_API_KEY"]']],
  session: [['Authorization', '"Bearer " + os.environ["COUNCIL_SESSION"]']],
  cookie: [['Cookie', 'os.environ["COUNCIL_COOKIE"]']],
  none: [],
};

/** JSON is Python except for three words, which must stay as they are within strings. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 4).replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    token => pythonWords.get(token) ?? token,
  );
}

const pythonWords = new Map([
  ['true', 'True'],
  ['false', 'False'],
  ['null', 'None'],
]);
