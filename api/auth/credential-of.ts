import type { Request } from 'express';

/** The API key or session token that a request carries, in either header. */
export function credentialOf(request: Request): string | undefined {
  return request.get('x-api-key') ?? /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
}
