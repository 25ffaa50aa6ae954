import { runWorker } from '../../../activities/worker/run-worker.js';
import type { CouncilModel } from '../../../council/models.js';
import { shutdownRequested } from '../../../platform/settings/lifetime.js';
import { createLogger } from '../../../platform/settings/logger.js';
import { readSettings } from '../../../platform/settings/settings.js';
import type {
  ModelAnswer,
  ModelProvider,
  ModelQuestion,
  SearchAnswer,
} from '../../../providers/model-provider.js';
import type { OpenProviders } from '../../../providers/open-providers.js';
import { readTask } from '../../../simulator/read-task.js';
import { writeAnswer } from '../../../simulator/write-answer.js';

/** The worker process as deployed, but with models that do nothing. */
await runWorker(readSettings(process.env), {
  log: createLogger('worker'),
  asked: shutdownRequested(),
  healthPort: null,
  openModels: () => Promise.resolve(noOpModels()),
});
process.exit(0);

/** In-process models with precomputed answers, so that a report costs only the service's own work. */
export function noOpModels(): OpenProviders {
  const providers = { claude: noOp('claude'), gpt: noOp('gpt'), gemini: noOp('gemini'), grok: noOp('grok') };
  return {
    providers,
    providersWith: () => providers,
    simulatorUrl: null,
    close: () => Promise.resolve(),
  };
}

function noOp(member: CouncilModel): ModelProvider {
  const answers = new Map<string, string>();
  const answerTo = ({ schemaName, schema, user }: ModelQuestion): string => {
    const task = readTask({ schemaName, schema, user });
    const key = JSON.stringify(task);
    const cached = answers.get(key);
    if (cached !== undefined) return cached;
    const answer = JSON.stringify(writeAnswer('bench', member, task));
    answers.set(key, answer);
    return answer;
  };
  return {
    ask: question =>
      Promise.resolve<ModelAnswer>({
        text: answerTo(question),
        modelId: `no-op-${member}`,
        inputTokens: 0,
        outputTokens: 0,
      }),
    search: () =>
      Promise.resolve<SearchAnswer>({
        text: 'Nothing was found.',
        citations: [],
        searches: 0,
        blockList: 'sent',
        modelId: `no-op-${member}`,
        inputTokens: 0,
        outputTokens: 0,
      }),
    checkModel: () => Promise.resolve(),
  };
}
