import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { UnsealError, unseal } from '../../config/keys/seal.js';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { CouncilModel } from '../../council/models.js';
import { readSealedKeys, type SealedKey } from '../../db/accounts/provider-keys.js';
import type { StageRow } from '../../db/reports/open-stage.js';
import { vendorRoute } from '../../providers/create-providers.js';
import type { ModelProvider } from '../../providers/model-provider.js';
import type { ActivityDependencies } from './dependencies.js';

export interface ChosenProvider {
  readonly provider: ModelProvider;
  /** The name under which the model is asked. */
  readonly modelId: string;
}

/**
 * Who answers a call: the house's model, or on the lane of one's own keys the same model asked with the caller's key
 * and nothing else. There is no way from that lane back to a key of the house's: a caller's key that is missing or
 * does not open is refused as `unauthorised`. A key is opened here, for the one call that needs it, and goes into no
 * argument, result or error.
 */
export async function chooseProvider(
  deps: ActivityDependencies,
  model: CouncilModel,
  { accountId, lane }: Pick<StageRow, 'accountId' | 'lane'>,
): Promise<ChosenProvider> {
  const entry = deps.catalogue[model];
  if (lane !== 'byok') return { provider: deps.providers[model], modelId: entry.modelId };
  const held = await readSealedKeys(deps.db, accountId);
  const { vendor, modelId } = vendorRoute(
    entry,
    held.map(({ provider }) => provider),
  );
  const sealed = held.find(({ provider }) => provider === vendor);
  const keys = sealed === undefined ? {} : { [vendor]: openKey(deps, sealed) };
  return { provider: deps.providersWith(keys)[model], modelId };
}

function openKey({ keyRing }: ActivityDependencies, sealed: SealedKey): string {
  const { id: keyId, accountId, provider } = sealed;
  try {
    return unseal(keyRing, sealed, { keyId, accountId, provider });
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    // The caller can do nothing about it but store the key again: the operator is to know.
    log.error(error.message, { accountId, provider });
    throw ApplicationFailure.nonRetryable(error.message, 'unauthorised' satisfies DropoutKind);
  }
}
