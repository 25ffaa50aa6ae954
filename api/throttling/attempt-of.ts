import type { Request } from 'express';
import { z } from 'zod';
import type { AttemptKind } from '../../council/pauses.js';
import { pathOf } from '../http/route-path.js';
import { networkOf } from './network.js';

/** What a request to the built-in accounts tries. */
export interface Attempt {
  readonly kind: AttemptKind;
  readonly network: string;
  /** The e-mail address that it names, as the accounts compare addresses. Null if it names none. */
  readonly account: string | null;
  /** Of a link to a new password. */
  readonly resetToken: string | null;
}

/** Null for a request that tries nothing, such as reading the session. */
export function attemptOf(request: Request): Attempt | null {
  const kind = kindOf(pathOf(request));
  if (kind === null) return null;
  const body = bodyOf(request.body);
  const account = body.email?.trim().toLowerCase() ?? null;
  const resetToken = kind === 'link' ? (body.token ?? null) : null;
  return { kind, network: networkOf(request.ip ?? ''), account, resetToken };
}

const routes: readonly (readonly [RegExp, AttemptKind])[] = [
  // Changing the password asks for the present one, which the holder of a session must not be able to guess.
  [/\/(?:sign-in|change-password)\b/, 'sign_in'],
  [/\/sign-up\b/, 'sign_up'],
  [/\/(?:request-password-reset|forget-password)\b/, 'password_reset'],
  [/\/send-verification-email\b/, 'verification'],
  [/\/(?:reset-password|verify-email)\b/, 'link'],
];

/** Wider than the routes, so that no other way to write a path avoids the throttle. */
function kindOf(path: string): AttemptKind | null {
  const normal = decoded(path).toLowerCase().replaceAll('\\', '/');
  return routes.find(([route]) => route.test(normal))?.[1] ?? null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const bodyShape = z.object({
  email: z.string().optional().catch(undefined),
  token: z.string().optional().catch(undefined),
});

function bodyOf(body: unknown): z.infer<typeof bodyShape> {
  return Buffer.isBuffer(body) ? (bodyShape.safeParse(jsonIn(body.toString())).data ?? {}) : {};
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
