import type { Action } from '../../council/report.js';
import { isOpen, type ReportScores } from '../grades/grade.js';
import type { RecordedForecast } from '../recorded-forecast.js';
import {
  type EvidenceFigures,
  type EvidenceSlice,
  evidenceFiguresBuilder,
  evidenceSliceOf,
} from './evidence-figures.js';
import { type CouncilAndMarket, type ScoreSummary, scoreSummaryBuilder } from './figures.js';

/** Council and market in groups of reports that one of their own fields separates. */
export interface SliceFigures {
  /** By the action on the queried market, once that market is final. */
  readonly by_action: Readonly<Record<Action, ScoreSummary>>;
  readonly by_flag: Readonly<Record<Flag, ScoreSummary>>;
  /** The reports by how the members' searches ended. */
  readonly by_evidence: Readonly<Record<EvidenceSlice, EvidenceFigures>>;
}

type Flag = 'degraded' | 'not_degraded' | 'conflict' | 'no_conflict';

interface SliceFiguresBuilder {
  add(event: number, forecast: RecordedForecast, scores: ReportScores, compared: CouncilAndMarket): void;
  finish(): SliceFigures;
}

export function sliceFiguresBuilder(): SliceFiguresBuilder {
  const actions = {
    BUY_YES: scoreSummaryBuilder(3),
    BUY_NO: scoreSummaryBuilder(3),
    SKIP: scoreSummaryBuilder(3),
  };
  const flags = {
    degraded: scoreSummaryBuilder(4),
    not_degraded: scoreSummaryBuilder(4),
    conflict: scoreSummaryBuilder(4),
    no_conflict: scoreSummaryBuilder(4),
  };
  const evidence = {
    searched: evidenceFiguresBuilder(),
    partial: evidenceFiguresBuilder(),
    none: evidenceFiguresBuilder(),
    not_searched: evidenceFiguresBuilder(),
  };
  return {
    add: (event, forecast, scores, compared) => {
      const { action, degraded, conflict } = forecast;
      if (!isOpen(scores, forecast.queried_market)) actions[action].add(event, compared);
      flags[degraded ? 'degraded' : 'not_degraded'].add(event, compared);
      flags[conflict ? 'conflict' : 'no_conflict'].add(event, compared);
      evidence[evidenceSliceOf(forecast)].add(event, forecast, scores, compared.width);
    },
    finish: () => ({
      by_action: {
        BUY_YES: actions.BUY_YES.finish(),
        BUY_NO: actions.BUY_NO.finish(),
        SKIP: actions.SKIP.finish(),
      },
      by_flag: {
        degraded: flags.degraded.finish(),
        not_degraded: flags.not_degraded.finish(),
        conflict: flags.conflict.finish(),
        no_conflict: flags.no_conflict.finish(),
      },
      by_evidence: {
        searched: evidence.searched.finish(),
        partial: evidence.partial.finish(),
        none: evidence.none.finish(),
        not_searched: evidence.not_searched.finish(),
      },
    }),
  };
}
