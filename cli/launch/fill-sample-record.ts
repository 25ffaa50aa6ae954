import { randomUUID } from 'node:crypto';
import { readWeightsInForce } from '../../db/estimate/weights.js';
import { givePastReports, hasPastReports } from '../../db/track-record/past-reports.js';
import { withTimeout } from '../../platform/net/with-timeout.js';
import { projectFiles } from '../../platform/settings/project-files.js';
import { readTemporalManifest } from '../../platform/temporal/manifest.js';
import { loadModelCatalogue, searchingMembers } from '../../providers/model-catalogue.js';
import { type SampleService, sampleReports } from '../../simulator/record/sample-reports.js';
import { startGrading } from '../commands/regrade/regrade-reports.js';
import { withDatabase } from '../connections/with-database.js';
import { type TemporalPlace, withTemporal } from '../connections/with-temporal.js';

/** It takes a second. Without a worker that the server gives the batch to, the service becomes ready all the same. */
const gradingWaitMaxMs = 30_000;

/**
 * Gives the account the reports of the sample record, writes them first if the database does not have them, and waits
 * until the workers have graded them, in the batch that they also run every hour.
 * @returns how many reports the account has received
 */
export async function fillSampleRecord(
  { databaseUrl, temporal }: { databaseUrl: string; temporal: TemporalPlace },
  accountId: string,
): Promise<number> {
  const { isFilled, weights } = await withDatabase(databaseUrl, async db => ({
    isFilled: await hasPastReports(db),
    weights: await readWeightsInForce(db),
  }));
  // Computed while no connection is open: on a busy machine it could wait for longer than the server allows.
  const reports = isFilled ? [] : sampleReports({ ...members(), weights });
  const receiver = { accountId, now: new Date(), newId: randomUUID };
  const received = await withDatabase(databaseUrl, db => givePastReports(db, receiver, reports));
  const manifest = readTemporalManifest(projectFiles.temporalManifest);
  await withTemporal(temporal, async client => {
    const batch = await startGrading(client, manifest, { kind: 'due' });
    // The batch goes on without this process, and what it misses is graded within the hour.
    await withTimeout(gradingWaitMaxMs, batch.result()).catch(() => undefined);
  });
  return received;
}

function members(): Pick<SampleService, 'modelIds' | 'searchers'> {
  const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
  const { claude, gpt, gemini, grok } = catalogue;
  return {
    modelIds: { claude: claude.modelId, gpt: gpt.modelId, gemini: gemini.modelId, grok: grok.modelId },
    searchers: searchingMembers(catalogue),
  };
}
