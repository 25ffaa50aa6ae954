import type { Db } from '../../db/database.js';
import { claimMarketAnswer, releaseMarketAnswer, saveMarketAnswer } from '../../db/market/market-answers.js';
import { createEventSource, type MarketSettings } from '../../markets/create-event-source.js';
import { createDirectReader, type MarketReader } from '../../markets/market-reader.js';
import { createRequestBudget, openGate } from '../../markets/request-budget.js';
import { createSharedReader } from '../../markets/shared/create-shared-reader.js';
import type { ApiContext } from '../context.js';

/**
 * The market that the settings select, read with care: answers are shared by all API processes, and this one has a
 * budget of requests. The bundled events are in memory and need neither.
 */
export function openMarket(
  settings: MarketSettings,
  { db, now, metrics, log }: Pick<ApiContext, 'db' | 'now' | 'metrics' | 'log'>,
): MarketReader {
  if (settings.MARKETS === 'sample') return createDirectReader(createEventSource(settings, openGate));
  const gateFor = createRequestBudget(now, (purpose, outcome) =>
    metrics.marketRequests.inc({ purpose, outcome }),
  );
  const sourceFor = (purpose: 'browse' | 'check' | 'purchase') =>
    createEventSource(settings, gateFor(purpose));
  return createSharedReader(
    { browse: sourceFor('browse'), check: sourceFor('check'), purchase: sourceFor('purchase') },
    {
      store: answersIn(db),
      now,
      onAnswer: origin => metrics.marketAnswers.inc({ origin }),
      onStoreError: err => log.warn({ err }, 'the answers of the market could not be shared'),
    },
  );
}

function answersIn(db: Db) {
  return {
    claim: claimMarketAnswer.bind(null, db),
    save: saveMarketAnswer.bind(null, db),
    release: releaseMarketAnswer.bind(null, db),
  };
}
