const {
  ArrayExpressionNode,
  GenericExpressionNode,
  IdentifierNode,
  LiteralNode,
  UnionExpressionNode,
  defineConfig,
} = require('kysely-codegen');

// AST nodes, not strings: kysely-codegen parses strings with the TypeScript compiler API, which TypeScript 7
// does not have. A node also keeps the `| null` of a nullable column; a string would replace it.
const named = name => new IdentifierNode(name);
const either = (...names) => new UnionExpressionNode(names.map(name => new LiteralNode(name)));
const json = type => new GenericExpressionNode('JSONColumnType', [type]);
const listOf = type => new ArrayExpressionNode(type);
/** Filled in by a trigger, which the column's definition does not show. */
const generated = name => new GenericExpressionNode('Generated', [named(name)]);

/**
 * What PostgreSQL's catalogue does not know: the values of a text column, and the type of a JSON document.
 */
module.exports = defineConfig({
  dialect: 'postgres',
  url: 'env(DATABASE_URL)',
  outFile: './tables.ts',
  includePattern: 'public.*',
  // The types that `database.ts` parses to.
  dateParser: 'string',
  typeMapping: { int8: 'number', timestamptz: 'Date' },
  customImports: {
    Conclusion: '../../council/report.js',
    CeilingName: '../../purchase/house-ceilings.js',
    CeilingPercent: '../../purchase/house-ceilings.js',
    CouncilModel: '../../council/models.js',
    Dropout: '../../council/deliberation/members.js',
    AssembledEvidence: '../../council/evidence/assemble-evidence.js',
    DropoutKind: '../../council/deliberation/members.js',
    EntryKind: '../../record/recorded-sale.js',
    EventSourceName: '../../council/event.js',
    GradeState: '../../record/grades/grade.js',
    KeyScope: '../../purchase/key-limits.js',
    KeyVendor: '../../council/models.js',
    Lane: '../../purchase/purchase.js',
    MarketEvent: '../../council/event.js',
    MarketOutcomes: '../../record/recorded-forecast.js',
    Pool: '../../purchase/purchase.js',
    RunEvent: '../../council/deliberation/run-event.js',
    Receipt: '../../purchase/purchase.js',
    ReportScores: '../../record/grades/grade.js',
    ReportStatus: '../../council/report.js',
    RecordProof: '../../record/figures/record-proof.js',
    RunFailureCode: '../../council/report.js',
    CallStage: '../../council/deliberation/stages.js',
    ProgressStage: '../../council/deliberation/stages.js',
    TrackRecord: '../../record/figures/track-record.js',
  },
  overrides: {
    columns: {
      'api_keys.scope': new GenericExpressionNode('Generated', [named('KeyScope')]),
      'ceiling_notices.ceiling': named('CeilingName'),
      'ceiling_notices.percent': named('CeilingPercent'),
      'events.event': json(named('MarketEvent')),
      'events.source': named('EventSourceName'),
      'grades.scores': json(named('ReportScores')),
      'grades.state': named('GradeState'),
      'idempotency_keys.receipt': json(named('Receipt')),
      'ledger_accounts.name': new UnionExpressionNode([
        new LiteralNode('house_issued'),
        new LiteralNode('house_earned'),
        named('Pool'),
      ]),
      'ledger_entries.balance_after': generated('number'),
      'ledger_transfers.kind': either('purchase', 'grant', 'charge', 'refund', 'adjustment'),
      'payment_findings.kind': either('wrong_amount', 'unknown_session', 'invoice_disputed', 'fraud_warning'),
      'provider_calls.lane': named('Lane'),
      'provider_calls.model': named('CouncilModel'),
      'provider_calls.outcome': new UnionExpressionNode([
        new LiteralNode('answered'),
        new LiteralNode('aborted'),
        named('DropoutKind'),
      ]),
      'provider_calls.pool': named('Pool'),
      'provider_calls.stage': named('CallStage'),
      'provider_keys.provider': named('KeyVendor'),
      'record_entries.kind': named('EntryKind'),
      'report_purchases.kind': either('fresh', 'cached'),
      'report_purchases.lane': named('Lane'),
      'report_purchases.pool': named('Pool'),
      'report_purchases.state': either('charged', 'refunded', 'void'),
      'report_streams.events': json(listOf(named('RunEvent'))),
      'reports.conclusion': json(named('Conclusion')),
      'reports.dropouts': json(listOf(named('Dropout'))),
      'reports.event': json(named('MarketEvent')),
      'reports.evidence': json(named('AssembledEvidence')),
      'reports.failure_code': named('RunFailureCode'),
      'reports.lane': named('Lane'),
      'reports.stage': named('ProgressStage'),
      'reports.status': named('ReportStatus'),
      'resolutions.evidence': json(named('object')),
      'resolutions.outcomes': json(named('MarketOutcomes')),
      'stage_results.answer': json(named('object')),
      'stage_results.model': named('CouncilModel'),
      'stage_results.stage': named('CallStage'),
      'track_records.body': json(named('TrackRecord')),
      'track_records.proof': json(named('RecordProof')),
      'unsealed_entries.kind': named('EntryKind'),
      'usage_outbox.cancellation': either('due', 'done', 'expired'),
      'usage_outbox.kind': either('fresh', 'cached'),
      'usage_outbox.state': either('pending', 'sent', 'void', 'held'),
      'weights_activations.cause': either('first', 'refit', 'operator'),
    },
  },
});
