import type { ActivityOptions, RetryPolicy } from '@temporalio/workflow';
import type { BoundedPolicy, RetryRule, UnboundedPolicy } from './council-report-input.js';

/** The options of a step with an overall bound. */
export function bounded(policy: BoundedPolicy) {
  return { ...unbounded(policy), scheduleToCloseTimeout: policy.schedule_to_close_ms };
}

/** The options of a step that is retried until it is done. */
export function unbounded(policy: UnboundedPolicy) {
  return {
    startToCloseTimeout: policy.start_to_close_ms,
    retry: retryPolicy(policy.retry),
  } satisfies ActivityOptions;
}

/** The options of a call to a model that has `budgetMs` for all its attempts. */
export function modelCall(
  policy: { heartbeat_ms: number; retry: RetryRule },
  budgetMs: number,
): ActivityOptions {
  return {
    startToCloseTimeout: budgetMs,
    scheduleToCloseTimeout: budgetMs,
    heartbeatTimeout: policy.heartbeat_ms,
    retry: retryPolicy(policy.retry),
  };
}

function retryPolicy(rule: RetryRule): RetryPolicy {
  return {
    initialInterval: rule.initial_interval_ms,
    backoffCoefficient: rule.backoff,
    maximumInterval: rule.maximum_interval_ms,
    ...(rule.maximum_attempts === undefined ? {} : { maximumAttempts: rule.maximum_attempts }),
  };
}
