import type { ProgressView, ReportView } from '../../../contract/reports.js';

export interface StageStep {
  readonly stage: ProgressView['stage'];
  readonly name: string;
  readonly what: string;
  readonly standing: 'done' | 'now' | 'next';
}

const stages = [
  {
    stage: 'opinions',
    name: 'Opinions',
    what: 'Every member forecasts by itself, and is shown no price.',
  },
  {
    stage: 'cross_review',
    name: 'Cross-review',
    what: 'Every member reads the others without knowing whose words they are, and may change its mind.',
  },
  { stage: 'synthesis', name: 'Synthesis', what: 'One of them takes the chair and sums up.' },
] as const;

/** The three stages, and where the run is among them. */
export function stageSteps(progress: Pick<ProgressView, 'stage'> | null): StageStep[] {
  const now = stages.findIndex(({ stage }) => stage === progress?.stage);
  return stages.map((step, index) => ({
    ...step,
    standing: index < now ? 'done' : index === now ? 'now' : 'next',
  }));
}

/** How far the run is, in a sentence that is read aloud whenever it changes. */
export function progressText({ status, progress }: Pick<ReportView, 'status' | 'progress'>): string {
  if (status === 'pending' || progress === null) return 'The run is about to begin.';
  const name = stages.find(({ stage }) => stage === progress.stage)?.name ?? '';
  return `${name}: ${progress.done} of ${progress.of} answered.`;
}
