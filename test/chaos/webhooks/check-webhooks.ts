import { Webhook } from 'standardwebhooks';
import type { Db } from '../../../db/database.js';
import { type Books, groupBy } from '../books/books.js';
import type { GradedReports } from './grade-continually.js';
import type { HookReceiver, ReceivedHook } from './hook-receiver.js';
import type { Endpoint } from './open-endpoints.js';

/** What was made for the check of webhooks. */
export interface WebhookWorld {
  readonly receiver: HookReceiver;
  readonly endpoints: readonly Endpoint[];
  readonly graded: GradedReports;
}

export interface WebhookCheck {
  readonly faults: readonly string[];
  /** How often everything happened, for the summary. */
  readonly counts: readonly (readonly [name: string, times: number])[];
}

/**
 * Compares what endpoints should have received, by the reports and grades of their accounts, with what arrived:
 * everything at least once, all repeats under one id and with the same bytes, nothing of another account, and every
 * request signed with each secret of its endpoint.
 */
export async function checkWebhooks(
  db: Db,
  { endpoints, receiver, graded }: WebhookWorld,
  books: Books,
): Promise<WebhookCheck> {
  const arrived = receiver.received.map(hook => ({ ...hook, ...parsed(hook) }));
  const byPath = groupBy(arrived, ({ path }) => path);
  const rows = await readDeliveries(db);
  const wanted = endpoints.flatMap(endpoint =>
    wantedBy(endpoint, books, graded).map(key => ({ endpoint, key })),
  );
  const paths = new Set(endpoints.map(({ path }) => path));
  const missing = wanted.filter(
    ({ endpoint, key }) => !(byPath.get(endpoint.path) ?? []).some(hook => hook.key === key),
  );
  return {
    faults: [
      ...missing.map(({ endpoint, key }) => `webhook: ${endpoint.path} did not receive ${key}`),
      ...endpoints.flatMap(endpoint => {
        const allowed = allowedAt(endpoint, books, graded);
        return (byPath.get(endpoint.path) ?? []).flatMap(hook => faultsOf(endpoint, hook, allowed));
      }),
      ...arrived.filter(({ path }) => !paths.has(path)).map(({ path }) => `webhook: ${path} is no endpoint`),
      ...repeatFaults(arrived),
      ...rows
        .filter(({ status }) => status !== 'delivered')
        .map(row => `webhook: ${row.id} is ${row.status}`),
      ...rows
        .filter(row => !arrived.some(hook => hook.id === row.id && hook.path.endsWith(row.endpointId)))
        .map(({ id }) => `webhook: ${id} was stored and did not arrive`),
    ],
    counts: countsOf({ endpoints, arrived, wanted: wanted.length, missing: missing.length }),
  };
}

type Arrived = ReceivedHook & ReturnType<typeof parsed>;

/** What a body tells of, such as `report.completed 7`; of a balance only that it is one. */
function parsed({ body }: ReceivedHook) {
  const { type, data }: { type: string; data: { report_id?: number; record?: object | null } } =
    JSON.parse(body);
  const reportId = data.report_id ?? null;
  return {
    type,
    reportId,
    key: keyOf(type, reportId),
    isUnrecorded: reportId !== null && data.record === null,
  };
}

function keyOf(type: string, reportId: number | null): string {
  return reportId === null ? type : `${type} ${reportId}`;
}

/** The buyer of a run receives its end, and everybody who owned a report when it was graded receives its grade. */
function wantedBy({ accountId, types }: Endpoint, { reports }: Books, graded: GradedReports): string[] {
  const own = reports.filter(report => report.accountId === accountId);
  const ownGraded = [...graded].filter(([, owners]) => owners.includes(accountId));
  return [
    ...own.map(({ id, status }) => keyOf(`report.${status}`, id)),
    ...ownGraded.map(([id]) => keyOf('report.graded', id)),
  ].filter(key => types.some(type => key.startsWith(`${type} `)));
}

/** Of a grade, also those may have arrived whose purchase ended at the same moment. */
function allowedAt(endpoint: Endpoint, books: Books, graded: GradedReports): ReadonlySet<string> {
  const owned = books.purchases.filter(
    ({ accountId, state }) => accountId === endpoint.accountId && state === 'charged',
  );
  const late = owned.flatMap(({ reportId }) =>
    reportId !== null && graded.has(reportId) && endpoint.types.includes('report.graded')
      ? [keyOf('report.graded', reportId)]
      : [],
  );
  return new Set([...wantedBy(endpoint, books, graded), ...late]);
}

function faultsOf(endpoint: Endpoint, hook: Arrived, allowed: ReadonlySet<string>): string[] {
  const { path, types, secrets } = endpoint;
  const isWanted = hook.reportId === null ? types.some(type => type === hook.type) : allowed.has(hook.key);
  const at = new Date(Number(hook.timestamp) * 1_000);
  // The clocks of workers jump, so the age of a signature is not checked.
  const signatures = secrets.map(secret => new Webhook(secret).sign(hook.id, at, hook.body));
  const signed = hook.signature.split(' ');
  const isSigned = signatures.length === signed.length && signatures.every(each => signed.includes(each));
  return [
    ...(isWanted ? [] : [`webhook: ${path} received ${hook.key}, which it should not`]),
    ...(isSigned ? [] : [`webhook: ${path} received ${hook.id} with a signature that does not verify`]),
  ];
}

/** An id is of one endpoint and one body, and the news that an endpoint receives has one id. */
function repeatFaults(arrived: readonly Arrived[]): string[] {
  const byId = groupBy(arrived, ({ id }) => id);
  const byNews = groupBy(
    arrived.filter(({ reportId }) => reportId !== null),
    ({ path, key }) => `${path} ${key}`,
  );
  return [
    ...[...byId]
      .filter(([, all]) => new Set(all.map(({ path, body }) => `${path} ${body}`)).size > 1)
      .map(([id]) => `webhook: ${id} arrived with different bodies or at different endpoints`),
    ...[...byNews]
      .filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1)
      .map(([news]) => `webhook: ${news} arrived under several ids`),
  ];
}

function countsOf({
  endpoints,
  arrived,
  wanted,
  missing,
}: {
  endpoints: readonly Endpoint[];
  arrived: readonly Arrived[];
  wanted: number;
  missing: number;
}): [string, number][] {
  const first = [...groupBy(arrived, ({ id }) => id).values()].flatMap(([one]) =>
    one === undefined ? [] : [one],
  );
  return [
    ['endpoints', endpoints.length],
    ['accounts with endpoints', new Set(endpoints.map(({ accountId }) => accountId)).size],
    ['news of reports that endpoints want', wanted],
    ['of these missing', missing],
    ...tallied('delivered', first, ({ type }) => type),
    ['requests', arrived.length],
    ...tallied('request', arrived, ({ answer }) => answer),
    ['repeats of a delivery', arrived.length - first.length],
    [
      'deliveries that do not name their entry in the record',
      first.filter(({ isUnrecorded }) => isUnrecorded).length,
    ],
  ];
}

function tallied(
  what: string,
  items: readonly Arrived[],
  nameOf: (item: Arrived) => string,
): [string, number][] {
  return [...groupBy(items, nameOf)].map(([name, all]) => [`${what}: ${name}`, all.length]);
}

async function readDeliveries(db: Db) {
  return db.selectFrom('webhook_deliveries').select(['id', 'endpoint_id as endpointId', 'status']).execute();
}
