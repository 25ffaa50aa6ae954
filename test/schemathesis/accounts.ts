/** Two customers of a running service, each with a different kind of credential and with private data. */

const examplePassword = 'correct horse battery';

/** Headers by name: `holder` uses an API key, `visitor` a session. */
export type Identities = Readonly<Record<'holder' | 'visitor', Readonly<Record<string, string>>>>;

/** @param apiKey the API key of the demo account, which has credits */
export async function openAccounts(url: string, apiKey: string): Promise<Identities> {
  const holder = { 'X-API-Key': apiKey };
  const { cookie, token } = await signUp(url, 'visitor@example.com');
  // The person of the document's examples has signed in from here: generated sign-ins, which fail, do not hold it up.
  await signUp(url, 'you@example.com');
  await openSession(url, 'sign-in', { email: 'you@example.com', password: examplePassword });
  // Browsers send an Origin header; the account library rejects a cookie without one.
  const visitor = { Authorization: `Bearer ${token}`, Cookie: cookie, Origin: url };
  await buyReport(url, holder, 'sample-fed-cut-2031');
  await buyReport(url, visitor, 'sample-bitcoin-high-2031');
  await ask(url, 'POST', '/api/keys', visitor, { name: 'to be listed and revoked' });
  const webhook = { url: 'https://hooks.example.com/', types: ['report.completed'] };
  await ask(url, 'POST', '/api/webhooks', visitor, webhook);
  await ask(url, 'PUT', '/api/provider-keys/openrouter', visitor, { key: 'sk-or-v1-0123456789' });
  return { holder, visitor };
}

/** A new account, which has its weekly grant and no credits. @returns an API key of it */
export async function openAccountWithKey(url: string, name: string): Promise<string> {
  const { token } = await signUp(url, `${name}@example.com`);
  const { key } = await ask(url, 'POST', '/api/keys', { Authorization: `Bearer ${token}` }, { name });
  return key;
}

const signUp = (url: string, email: string) =>
  openSession(url, 'sign-up', { email, password: examplePassword, name: 'Visitor' });

async function openSession(url: string, how: 'sign-up' | 'sign-in', account: object) {
  const response = await fetch(`${url}/api/auth/${how}/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`${how} returned ${response.status}`);
  const cookie = cookieIn(response);
  const { token } = await ask(url, 'GET', '/api/auth/token', { Cookie: cookie });
  return { cookie, token };
}

function cookieIn(response: Response): string {
  return response.headers
    .getSetCookie()
    .map(item => item.split(';')[0])
    .join('; ');
}

/** @returns the headers of a session of the account */
export async function signIn(
  url: string,
  account: { readonly email: string; readonly password: string },
): Promise<Readonly<Record<string, string>>> {
  const { token } = await openSession(url, 'sign-in', account);
  return { Authorization: `Bearer ${token}` };
}

/** Buys a report and waits until it is complete, so that there is private data to protect. */
async function buyReport(url: string, who: Record<string, string>, eventId: string): Promise<void> {
  const { report_id } = await ask(url, 'POST', '/api/reports', who, { event_id: eventId });
  for (;;) {
    const report = await ask(url, 'GET', `/api/reports/${report_id}`, { ...who, Prefer: 'wait=20' });
    if (report.status === 'completed') return;
    if (report.status === 'failed') throw new Error('a report failed during the setup');
  }
}

/** @throws Error unless the status is 2xx */
export async function ask(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return response.json();
}
