import proto from '@temporalio/proto';
import type { Simulator } from '../../../simulator/simulator.js';
import { purchase, reportWorkflowId } from '../../../workflows/report-interface.js';
import { purchaseRequest } from '../../db/support/purchases.js';
import type { TestCaller } from '../service/test-caller.js';
import type { TestService } from '../service/test-service.js';
import { until } from '../until.js';

/** Every way in which a run can end, by name, with what causes it. */
export const branches: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
  completed: untilEnded,
  /** On a service without searches. */
  'without-research': untilEnded,
  'search-failed': refusedAt({ model: 'gpt', stage: 'research' }),
  degraded: refusedAt({ model: 'grok', stage: 'opinions' }),
  'another-chairman': refusedAt({ model: 'claude', stage: 'synthesis' }),
  'quorum-lost': refusedAt(
    { model: 'claude', stage: 'opinions' },
    { model: 'gpt', stage: 'opinions' },
    { model: 'grok', stage: 'opinions' },
  ),
  'no-chairman': refusedAt({ stage: 'synthesis' }),
  cancelled: async stage => {
    const { service, caller, eventId } = stage;
    service.simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const asked = () => service.simulator.calls.filter(({ stage: at }) => at === 'opinions').length;
    const before = asked();
    const { body } = await caller.buy(eventId);
    await until('the members are asked', () => asked() > before);
    await runOf(stage).cancel();
    return caller.untilEnded(body.report_id);
  },
  'second-purchase': async stage => {
    const { service, caller, eventId } = stage;
    const release = service.simulator.hold({ stage: 'opinions' });
    const { body } = await caller.buy(eventId);
    const request = purchaseRequest({ accountId: caller.accountId, eventId, utcDay: today() });
    await runOf(stage).executeUpdate(purchase, { args: [request] });
    release();
    return caller.untilEnded(body.report_id);
  },
  'nothing-to-run': async ({ refuse, caller, eventId }) => {
    refuse(caller.accountId);
    return caller.buy(eventId);
  },
};

export interface Stage {
  readonly service: TestService;
  readonly caller: TestCaller;
  /** Makes every purchase of an account fail for insufficient credits, but only after its run has started. */
  readonly refuse: (accountId: string) => void;
  readonly eventId: string;
}

async function untilEnded({ caller, eventId }: Stage) {
  return caller.run(eventId);
}

/** A run in which the models refuse at these places. */
function refusedAt(...places: Parameters<Simulator['setFault']>[0][]) {
  return (stage: Stage) => {
    for (const place of places) stage.service.simulator.setFault(place, { kind: 'refusal' });
    return untilEnded(stage);
  };
}

/** Plays a branch and returns its history, without the fields that differ between machines. */
export async function playBranch(stage: Stage, branch: string): Promise<string> {
  await branches[branch]?.(stage);
  await runOf(stage)
    .result()
    .catch(() => undefined);
  const history = await runOf(stage).fetchHistory();
  const plain = History.toObject(History.create(history), { longs: String, enums: String, bytes: String });
  return JSON.stringify(plain, (key, value: unknown) => (machineFields.has(key) ? '' : value));
}

function runOf({ service, caller: { accountId }, eventId }: Stage) {
  return service.temporal.workflow.getHandle(reportWorkflowId({ accountId, eventId, utcDay: today() }));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** A history as it was written to a file. */
export function readHistory(text: string) {
  return History.fromObject(JSON.parse(text));
}

const { History } = proto.temporal.api.history.v1;

/**
 * Fields that differ between machines: stack traces contain paths, identities the host name. Replay ignores
 * both.
 */
const machineFields = new Set(['identity', 'stackTrace', 'sdkVersion', 'sdkName']);
