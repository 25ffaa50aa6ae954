import { randomBytes } from 'node:crypto';
import {
  missingAuthorityText,
  openTimestampAuthority,
  recommendedAuthority,
  type TimestampAuthority,
} from '../../platform/timestamps/timestamp-authority.js';
import { TimestampFailed, type TimestampFailure } from '../../platform/timestamps/timestamp-token.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, problem, type Result, warning } from './finding.js';

const hashBytes = 32;

/** Whether the authority of the record signs, and by which certificate: asks it to stamp a random hash. */
export async function checkTimestamps({ settings }: Pick<DoctorContext, 'settings'>): Promise<Result> {
  if (missingAuthorityText(settings) !== null) {
    return warning('not set up: the public record says that it is unproven', setUp);
  }
  try {
    const authority = openTimestampAuthority(settings);
    if (authority === null) return ok('not set up; simulated reports need none');
    return await tryStamp(authority, settings.TIMESTAMP_CA);
  } catch (error) {
    if (error instanceof TimestampFailed)
      return problem(`${settings.TIMESTAMP_URL}: ${error.message}`, next[error.kind]);
    throw error;
  }
}

async function tryStamp(authority: TimestampAuthority, certificates: string | undefined): Promise<Result> {
  const { at } = await authority.stamp(randomBytes(hashBytes));
  const signed = `${authority.url} signed a random hash at ${at.toISOString()}`;
  if (certificates === undefined) {
    return ok(`${signed}; its certificate was not checked, because TIMESTAMP_CA is not set`);
  }
  return ok(`${signed}; its certificate leads to one of ${certificates}`);
}

const setUp = `Set TIMESTAMP_URL=${recommendedAuthority.url}, and TIMESTAMP_CA to a file with ${recommendedAuthority.certificateUrl}`;

const next: Readonly<Record<TimestampFailure, string>> = {
  unreachable: 'Check the network and TIMESTAMP_URL. The worker tries again every few minutes.',
  refused: `It does not sign for everybody. Set another TIMESTAMP_URL, such as ${recommendedAuthority.url}`,
  invalid:
    'Check that TIMESTAMP_URL is a time-stamp authority (RFC 3161), and that TIMESTAMP_CA has its certificates.',
};
