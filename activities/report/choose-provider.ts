import { log } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { DropoutKind } from '../../council/deliberation/members.js';
import type { CouncilModel } from '../../council/models.js';
import { readSealedKeys, type SealedKey } from '../../db/accounts/provider-keys.js';
import type { Db } from '../../db/database.js';
import type { StageRow } from '../../db/reports/open-stage.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { UnsealError, unseal } from '../../platform/keys/seal.js';
import { type ProviderKeys, type Route, vendorRoute } from '../../providers/create-providers.js';
import type { ModelCatalogue } from '../../providers/model-catalogue.js';
import type { ModelProvider } from '../../providers/model-provider.js';

export interface ChooseDependencies {
  readonly db: Db;
  /** Called with the keys of the house. Never used for runs on the caller's own keys. */
  readonly providers: Readonly<Record<CouncilModel, ModelProvider>>;
  /** The same models, called with these keys only. */
  readonly providersWith: (keys: ProviderKeys) => Readonly<Record<CouncilModel, ModelProvider>>;
  /** Opens the callers' stored keys. */
  readonly keyRing: readonly EncryptionKey[];
  readonly catalogue: ModelCatalogue;
}

export interface ChosenProvider extends Route {
  readonly provider: ModelProvider;
}

/**
 * Chooses the provider of a call: with the key of the house, or on the `byok` lane with the caller's key only. A
 * caller's key that is missing or cannot be opened fails as `unauthorised`; the call never falls back to a key of the
 * house. A key is opened for a single call, and is never part of an argument, a result or an error.
 */
export async function chooseProvider(
  deps: ChooseDependencies,
  model: CouncilModel,
  { accountId, lane }: Pick<StageRow, 'accountId' | 'lane'>,
): Promise<ChosenProvider> {
  const entry = deps.catalogue[model];
  if (lane !== 'byok') return { provider: deps.providers[model], ...vendorRoute(entry, []) };
  const held = await readSealedKeys(deps.db, accountId);
  const route = vendorRoute(
    entry,
    held.map(({ provider }) => provider),
  );
  const sealed = held.find(({ provider }) => provider === route.vendor);
  const keys = sealed === undefined ? {} : { [route.vendor]: openKey(deps, sealed) };
  return { provider: deps.providersWith(keys)[model], ...route };
}

function openKey({ keyRing }: ChooseDependencies, sealed: SealedKey): string {
  const { id: keyId, accountId, provider } = sealed;
  try {
    return unseal(keyRing, sealed, { keyId, accountId, provider });
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    // The caller can only store the key again. The operator has to know why.
    log.error(error.message, { accountId, provider });
    throw ApplicationFailure.nonRetryable(error.message, 'unauthorised' satisfies DropoutKind);
  }
}
