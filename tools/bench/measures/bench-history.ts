import { Client, Connection } from '@temporalio/client';
import { councilModels } from '../../../council/models.js';
import { ReportBuyer } from '../load/report-buyer.js';
import { inLanes } from '../load/steady-load.js';
import { type Measured, median, percentile, rounded } from '../results/measurement.js';
import { type BenchedService, type Latency, withService } from '../services/with-service.js';

const reportsPerSetting = 20;

/** Members that answer at the same time share a workflow task; if they are spread out, each has its own. */
const settings: readonly Setting[] = [
  { models: 'all at 0 s', latencies: [{ ms: 0 }], lanes: 1 },
  { models: 'all at 0.5 s', latencies: [{ ms: 500 }], lanes: 4 },
  { models: 'all at 5 s', latencies: [{ ms: 5_000 }], lanes: 12 },
  {
    models: 'spread out, 0.5 s apart',
    latencies: councilModels.map((model, index) => ({ model, ms: 500 * (index + 1) })),
    lanes: 6,
  },
];

/** Measures the size of a run's history, which the server stores and a worker reads to take over the run. */
export function benchHistory(env: NodeJS.ProcessEnv): Promise<Measured> {
  return withService(env, {}, async service => {
    const buyer = await ReportBuyer.create(service, settings.length * reportsPerSetting);
    const connection = await Connection.connect({ address: service.temporalAddress });
    const client = new Client({ connection, namespace: service.manifest.namespace });
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (const setting of settings) measured.push(await measure(service, buyer, client, setting));
    await connection.close();
    const highest = (figure: 'events' | 'kib', of: 'p95' | 'max') =>
      Math.max(...measured.map(each => each[figure][of]));
    const formatSpread = ({ p50, p95, max }: Spread) => `${p50} / ${p95} / ${max}`;
    return {
      figures: { by_models: measured },
      table: {
        head: ['models', 'events', 'workflow tasks', 'KiB', 'largest payload, bytes'],
        rows: measured.map(each => [
          each.models,
          formatSpread(each.events),
          formatSpread(each.workflow_tasks),
          formatSpread(each.kib),
          each.largest_payload_bytes,
        ]),
      },
      goals: [
        { what: 'history events, 95th percentile of reports', value: highest('events', 'p95'), atMost: 90 },
        { what: 'KiB of history, largest report', value: highest('kib', 'max'), atMost: 64 },
      ],
    };
  });
}

interface Setting {
  readonly models: string;
  readonly latencies: readonly Latency[];
  readonly lanes: number;
}

async function measure(service: BenchedService, buyer: ReportBuyer, client: Client, setting: Setting) {
  await service.slowDown(setting.latencies);
  const sizes: Size[] = [];
  await inLanes(reportsPerSetting, setting.lanes, async () => {
    const { reportId } = await buyer.buy();
    await buyer.untilEnded(reportId);
    sizes.push(await sizeOf(service, client, reportId));
  });
  const spread = (values: readonly number[]): Spread => ({
    p50: rounded(median(values), 1),
    p95: rounded(percentile(values, 0.95), 1),
    max: rounded(Math.max(...values), 1),
  });
  return {
    models: setting.models,
    reports: reportsPerSetting,
    events: spread(sizes.map(({ events }) => events)),
    workflow_tasks: spread(sizes.map(({ workflowTasks }) => workflowTasks)),
    kib: spread(sizes.map(({ bytes }) => bytes / 1_024)),
    largest_payload_bytes: Math.max(...sizes.map(({ largestPayloadBytes }) => largestPayloadBytes)),
  };
}

interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

interface Size {
  readonly events: number;
  readonly workflowTasks: number;
  readonly bytes: number;
  readonly largestPayloadBytes: number;
}

/** Waits until the run has ended, which is shortly after its report is stored. */
async function sizeOf({ database }: BenchedService, client: Client, reportId: number): Promise<Size> {
  const { workflow_id } = await database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const handle = client.workflow.getHandle(workflow_id);
  await handle.result();
  const { historySize = 0 } = await handle.describe();
  const { events } = await handle.fetchHistory();
  return {
    events: events?.length ?? 0,
    workflowTasks: (events ?? []).filter(event => event.workflowTaskCompletedEventAttributes != null).length,
    bytes: historySize,
    largestPayloadBytes: largestPayload(events),
  };
}

/** Size of the largest nested `data`. */
function largestPayload(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 0;
  return Math.max(
    0,
    ...Object.entries(value).map(([name, inner]) =>
      name === 'data' && inner instanceof Uint8Array ? inner.byteLength : largestPayload(inner),
    ),
  );
}
