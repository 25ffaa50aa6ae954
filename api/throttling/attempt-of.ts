import type { Request } from 'express';
import { z } from 'zod';
import type { AttemptKind } from '../../purchase/pauses.js';
import { pathOf } from '../http/route-path.js';

/** What a request to the built-in accounts tries. */
export interface Attempt {
  readonly kind: AttemptKind;
  /** The IP address of the caller. */
  readonly address: string;
  /** Which account it is about. Each route reads one of these and no other. */
  readonly subject: AttemptSubject;
}

export type AttemptSubject =
  /** The e-mail address in the body, as the accounts compare addresses. Null if the body has none. */
  | { readonly by: 'address'; readonly address: string | null }
  /** The account of the session that the request carries. */
  | { readonly by: 'session' }
  /** The account that was sent a link to a new password with this token. */
  | { readonly by: 'reset_link'; readonly token: string | null }
  | { readonly by: 'nothing' };

/**
 * Null for a request that tries nothing, such as reading the session.
 * @param body parsed JSON
 */
export function attemptOf(request: Request, body: unknown): Attempt | null {
  const route = routeOf(pathOf(request));
  if (route === null) return null;
  const { kind, by } = route;
  return { kind, address: request.ip ?? '', subject: subjectOf(by, body) };
}

interface AttemptRoute {
  readonly kind: AttemptKind;
  /** What the route itself reads. A body that names somebody else's address elsewhere means nothing. */
  readonly by: AttemptSubject['by'];
}

const routes: readonly (readonly [RegExp, AttemptRoute])[] = [
  [/\/sign-in\b/, { kind: 'sign_in', by: 'address' }],
  // Asks for the present password, which the holder of a session must not be able to guess.
  [/\/change-password\b/, { kind: 'sign_in', by: 'session' }],
  [/\/sign-up\b/, { kind: 'sign_up', by: 'address' }],
  [/\/(?:request-password-reset|forget-password)\b/, { kind: 'password_reset', by: 'address' }],
  [/\/send-verification-email\b/, { kind: 'verification', by: 'address' }],
  [/\/reset-password\b/, { kind: 'link', by: 'reset_link' }],
  [/\/verify-email\b/, { kind: 'link', by: 'nothing' }],
];

/** Wider than the routes, so that no other way to write a path avoids the throttle. */
function routeOf(path: string): AttemptRoute | null {
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

function subjectOf(by: AttemptSubject['by'], body: unknown): AttemptSubject {
  const { email, token } = bodyShape.safeParse(body).data ?? {};
  switch (by) {
    case 'address':
      return { by, address: email?.trim().toLowerCase() ?? null };
    case 'reset_link':
      return { by, token: token ?? null };
    case 'session':
    case 'nothing':
      return { by };
  }
}
