import { randomUUID } from 'node:crypto';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { readTemporalManifest, type TemporalManifest } from '../../../platform/temporal/manifest.js';

/** The project's own, on a task queue of the test's own. */
export function testManifest(namespace?: string): TemporalManifest {
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  return {
    ...manifest,
    namespace: namespace ?? manifest.namespace,
    model_calls: {
      ...manifest.model_calls,
      queue_prefix:
        namespace === undefined ? `test-calls-${randomUUID()}` : manifest.model_calls.queue_prefix,
    },
    webhooks: {
      ...manifest.webhooks,
      task_queue: namespace === undefined ? `test-webhooks-${randomUUID()}` : manifest.webhooks.task_queue,
    },
    task_queue: namespace === undefined ? `test-${randomUUID()}` : manifest.task_queue,
  };
}
