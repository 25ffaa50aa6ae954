import type { Request } from 'express';
import { Problem } from './problem.js';

/** Where the caller reached this service: protocol and host. @throws Problem `invalid_request` for a Host that is none. */
export function ownOrigin(request: Request): string {
  const origin = `${request.protocol}://${request.get('host') ?? 'localhost'}`;
  if (URL.canParse(origin)) return new URL(origin).origin;
  const detail = 'is not the name of a host';
  throw new Problem('invalid_request', `Host: ${detail}`, { errors: [{ parameter: 'Host', detail }] });
}
