import type { z } from 'zod';
import type { currentSessionShape, userShape } from '../../../contract/accounts.js';

export const credentialsExample = { email: 'you@example.com', password: 'correct horse battery' };

export const userExample: z.infer<typeof userShape> = {
  id: 'BOB9hSyYsHDlUAUl4bVqGAbhSu83OFOI',
  name: 'You',
  email: credentialsExample.email,
  emailVerified: false,
  image: null,
  createdAt: '2026-11-21T09:26:52.336Z',
  updatedAt: '2026-11-21T09:26:52.336Z',
};

export const sessionExample: NonNullable<z.infer<typeof currentSessionShape>>['session'] = {
  id: 'oK0EOAqY2W5Z6SprZen5KxYc8OfCPkT4',
  token: 'gWqvkm84ffjXwOYIIS0PPjHkx9PHPzUJ',
  userId: userExample.id,
  expiresAt: '2026-11-28T09:26:52.342Z',
  createdAt: '2026-11-21T09:26:52.342Z',
  updatedAt: '2026-11-21T09:26:52.342Z',
  ipAddress: null,
  userAgent: 'curl/7.88.1',
};
