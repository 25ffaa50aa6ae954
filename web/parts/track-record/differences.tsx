import type { TrackRecordView } from '../../../contract/track-record.js';
import { Part } from '../part.js';
import { DifferenceTable } from './difference-table.js';
import { difference } from './figure-text.js';

/** The comparison that the verdict rests on. */
export function DifferencePart({ record }: { readonly record: TrackRecordView }) {
  const { paired_difference: all, first_report_per_event: first, skill } = record;
  return (
    <Part id="difference" title="Was the council better than the market?">
      <DifferenceTable
        caption="Brier score of the council less that of the market, over the reports on which the market had a price too."
        rows={[
          { name: 'All reports', difference: all },
          { name: 'First report of each event', difference: first.paired_difference },
        ]}
      />
      <p>
        The point is what was measured; the line is where the truth may well be, given how few events there
        are. Where the line touches zero, nobody can tell council and market apart by these reports. Reports
        of one event stand or fall together and count as one; the second row takes only the first of each, so
        that no event counts more than another.
      </p>
      {skill === null ? null : (
        <p>
          What forecasters call skill is <strong className="number">{difference(skill)}</strong>: one less the
          council’s Brier score divided by the market’s. Above zero the council’s was the lower; whether that
          means anything, the interval says.
        </p>
      )}
    </Part>
  );
}

/** The same comparison on parts of the reports. */
export function GroupsPart({ record }: { readonly record: TrackRecordView }) {
  const { by_action: action, by_flag: flag } = record;
  return (
    <Part id="groups" title="By action, and by flag">
      <DifferenceTable
        caption="By what the report advised on the market it was asked about."
        rows={[
          { name: 'Buy yes', difference: action.BUY_YES.paired_difference },
          { name: 'Buy no', difference: action.BUY_NO.paired_difference },
          { name: 'Skip', difference: action.SKIP.paired_difference },
        ]}
      />
      <DifferenceTable
        caption="By what was unusual. Degraded: a model dropped out. Conflict: the council contradicted a sound market so strongly that the headline followed the market; the council’s own number is what is graded here."
        rows={[
          { name: 'Degraded', difference: flag.degraded.paired_difference },
          { name: 'Not degraded', difference: flag.not_degraded.paired_difference },
          { name: 'In conflict', difference: flag.conflict.paired_difference },
          { name: 'Not in conflict', difference: flag.no_conflict.paired_difference },
        ]}
      />
      <p className="muted small">
        Whoever looks at enough groups finds one that seems different by chance alone. These rows are good for
        asking questions, not for answering them.
      </p>
    </Part>
  );
}
