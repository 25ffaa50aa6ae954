import { CouncilReports } from '../../client/council-reports.js';
import type { ApiConnection } from '../../client/transport.js';
import { schemaParsers } from '../../contract/callers/answer-parsers.js';

/** The public API for the tools. An assistant reads when to come back and tells its user, so nothing is tried again here. */
export function createToolApi(connection: ApiConnection): CouncilReports {
  return new CouncilReports({ ...connection, parsers: schemaParsers, retryWithinSeconds: 0 });
}
