import { randomBytes, scryptSync } from 'node:crypto';

/**
 * Stands in for `@better-auth/utils/password` in Jest: the same function at the least cost. Passwords are slow to hash
 * on purpose, and nearly every test opens accounts. Whole services, which are processes of their own, hash as in
 * production.
 */
export async function hashPassword(password) {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${keyOf(password, salt)}`;
}

export async function verifyPassword(hash, password) {
  const [salt, key] = hash.split(':');
  return keyOf(password, salt) === key;
}

function keyOf(password, salt) {
  return scryptSync(password.normalize('NFKC'), salt, 64, { N: 2, r: 1, p: 1 }).toString('hex');
}
