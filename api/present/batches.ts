import type { BatchRowView, BatchView } from '../../contract/batches/batch-shapes.js';
import type { StoredRow } from '../../db/batches/batch-rows.js';
import type { StoredBatch } from '../../db/batches/batches.js';

export function presentBatch(batch: StoredBatch): BatchView {
  const { id, name, status, lane, rows, createdAt, endedAt } = batch;
  return {
    batch_id: id,
    name,
    status,
    paused_reason: batch.pausedReason,
    paused_member: batch.pausedMember,
    resumes_at: batch.resumesAt?.toISOString() ?? null,
    lane,
    rows,
    credits: { budget: batch.budgetCredits, spent: batch.spentCredits },
    max_credits_each: batch.maxCreditsEach,
    min_members: batch.minMembers,
    max_in_flight: batch.maxInFlight,
    api_key_id: batch.apiKeyId,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export function presentBatchRow({
  position,
  eventId,
  state,
  kind,
  reportId,
  credits,
  code,
}: StoredRow): BatchRowView {
  return { position, event_id: eventId, state, kind, report_id: reportId, credits, code };
}
