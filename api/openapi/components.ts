import type { z } from 'zod';
import * as accounts from '../../contract/accounts.js';
import * as billing from '../../contract/billing.js';
import * as credits from '../../contract/credits.js';
import * as deliberation from '../../contract/deliberation.js';
import * as events from '../../contract/events.js';
import * as grade from '../../contract/grade.js';
import * as keys from '../../contract/keys.js';
import * as parts from '../../contract/parts.js';
import * as providerKeys from '../../contract/provider-keys.js';
import * as purchase from '../../contract/purchase.js';
import * as chain from '../../contract/record-chain.js';
import * as reports from '../../contract/reports.js';
import * as runtime from '../../contract/runtime.js';
import { documentShape, healthShape, problemShape, readinessShape } from '../../contract/service.js';
import * as record from '../../contract/track-record.js';

/** Closed lists, named so that parameters, requests and responses have the same type in a generated client. */
export const enumerations: Readonly<Record<string, z.ZodType>> = {
  Action: parts.action,
  BetSide: parts.side,
  CouncilModel: parts.model,
  Lane: parts.lane,
  Pool: parts.pool,
  ReportStatus: parts.reportStatus,
  Stage: parts.stage,
  RunStage: parts.callStage,
  TradingStatus: parts.tradingStatus,
  Resolution: parts.resolution,
  BetKind: parts.betKind,
  HeadlineSource: parts.headlineSource,
  EvidenceStatus: parts.evidenceStatus,
  EstimateMissing: runtime.estimateMissing,
  GradeState: grade.gradeState,
  PackId: credits.packId,
  Provider: providerKeys.providerParameter,
};

/** Schemas of responses. Their names are public: generated clients use them as type names. */
export const responseShapes: Readonly<Record<string, z.ZodType>> = {
  ...enumerations,
  Problem: problemShape,
  Health: healthShape,
  Readiness: readinessShape,

  Event: events.eventShape,
  EventMarket: events.eventMarketShape,
  EventList: events.eventListShape,

  Pricing: purchase.pricingShape,
  Check: purchase.checkShape,
  Receipt: purchase.receiptShape,

  Report: reports.reportShape,
  ReportSummary: reports.reportSummaryShape,
  ReportList: reports.reportListShape,
  Runtime: runtime.runtimeShape,
  Bet: runtime.betShape,
  Method: runtime.methodShape,
  Estimate: runtime.estimateShape,
  EstimateWeights: runtime.estimateWeightsShape,
  EstimateCoefficients: runtime.estimateCoefficientsShape,
  WeightsReference: runtime.weightsReferenceShape,
  EvidenceSummary: runtime.evidenceSummaryShape,
  Chairmanship: runtime.chairmanshipShape,
  ReplacedChairman: runtime.replacedChairmanShape,
  Deliberation: deliberation.deliberationShape,
  OutcomeProbability: deliberation.outcomeProbabilityShape,
  Opinion: deliberation.opinionShape,
  Review: deliberation.reviewShape,
  RankedMember: deliberation.rankedMemberShape,
  Position: deliberation.positionShape,
  Synthesis: deliberation.synthesisShape,
  Fact: deliberation.factShape,
  Evidence: deliberation.evidenceShape,
  EvidenceItem: deliberation.evidenceItemShape,
  RemovedEvidence: deliberation.removedEvidenceShape,
  MarketSnapshot: reports.marketSnapshotShape,
  Progress: reports.progressShape,
  ReportFailure: reports.reportFailureShape,
  RecordEntry: reports.recordEntryShape,
  Grade: grade.gradeShape,
  GradeScores: grade.gradeScoresShape,
  Score: grade.scoreShape,

  TrackRecord: record.trackRecordShape,
  Figures: record.figuresShape,
  PairedDifference: record.pairedDifferenceShape,
  EstimateDifference: record.estimateDifferenceShape,
  ReviewDifference: record.reviewDifferenceShape,
  BetClaims: record.betClaimsShape,
  SliceAdjustment: record.sliceAdjustmentShape,
  Standing: record.scoreSummaryShape,
  EvidenceFigures: record.evidenceFiguresShape,
  CalibrationBin: record.calibrationBinShape,
  Returns: record.returnsShape,
  ForecastScores: record.forecastScoresShape,
  TrackRecordRow: record.trackRecordRowShape,
  TrackRecordExport: record.trackRecordExportShape,
  ChainEntry: chain.chainEntryShape,
  Chain: chain.chainShape,
  RecordTimestamp: chain.recordTimestampShape,
  RecordTimestamps: chain.recordTimestampsShape,

  Balance: credits.balanceShape,
  LedgerEntry: credits.ledgerEntryShape,
  Ledger: credits.ledgerShape,
  Pack: credits.packShape,
  PackList: credits.packListShape,

  BillingStatus: billing.billingStatusShape,
  PackCheckout: billing.packCheckoutShape,
  SubscriptionCheckout: billing.subscriptionCheckoutShape,
  BillingPortal: billing.portalShape,
  WebhookAnswer: billing.webhookAnswerShape,

  ApiKey: keys.keyShape,
  MintedApiKey: keys.mintedKeyShape,
  ApiKeyList: keys.keyListShape,
  ProviderKey: providerKeys.providerKeyShape,
  ProviderKeyList: providerKeys.providerKeyListShape,

  User: accounts.userShape,
  SignedUp: accounts.signedUpShape,
  SignedIn: accounts.signedInShape,
  SignedOut: accounts.signedOutShape,
  MailRequested: accounts.mailRequestedShape,
  PasswordRequested: accounts.passwordRequestedShape,
  PasswordSet: accounts.passwordSetShape,
  Session: accounts.sessionShape,
  CurrentSession: accounts.currentSessionShape,
  SessionToken: accounts.sessionTokenShape,
  PublicKeys: accounts.publicKeysShape,
  OpenApiDocument: documentShape,
};

/** Schemas of requests. */
export const requestSchemas: Readonly<Record<string, z.ZodType>> = {
  Purchase: purchase.purchaseRequestSchema,
  NewApiKey: keys.newKeySchema,
  NewProviderKey: providerKeys.providerKeySchema,
  Checkout: billing.checkoutSchema,
  Subscription: billing.subscriptionSchema,
  PortalRequest: billing.portalSchema,
  PaymentEvent: billing.paymentEventSchema,
  SignUp: accounts.signUpSchema,
  SignIn: accounts.signInSchema,
  VerificationMail: accounts.verificationMailSchema,
  PasswordRequest: accounts.passwordRequestSchema,
  NewPassword: accounts.newPasswordSchema,
};
