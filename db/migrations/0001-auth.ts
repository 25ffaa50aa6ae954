import { type Kysely, sql } from 'kysely';

/**
 * The tables of the built-in accounts (`better-auth` and its JWT plugin), in a separate schema, because the
 * library also has tables named user, session and account. A test compares them with what the library
 * requires.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create schema auth;
    create table auth."user" (
      "id" text primary key,
      "name" text not null,
      "email" text not null unique,
      "emailVerified" boolean not null,
      "image" text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now()
    );
    create table auth."session" (
      "id" text primary key,
      "expiresAt" timestamptz not null,
      "token" text not null unique,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null,
      "ipAddress" text,
      "userAgent" text,
      "userId" text not null references auth."user" ("id") on delete cascade
    );
    create index "session_userId_idx" on auth."session" ("userId");
    create table auth."account" (
      "id" text primary key,
      "issuer" text not null,
      "accountId" text not null,
      "providerId" text not null,
      "userId" text not null references auth."user" ("id") on delete cascade,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" timestamptz,
      "refreshTokenExpiresAt" timestamptz,
      "scope" text,
      "password" text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null
    );
    create index "account_userId_idx" on auth."account" ("userId");
    create unique index "account_issuer_accountId_uidx" on auth."account" ("issuer", "accountId");
    create table auth."verification" (
      "id" text primary key,
      "identifier" text not null,
      "value" text not null,
      "expiresAt" timestamptz not null,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now()
    );
    create index "verification_identifier_idx" on auth."verification" ("identifier");
    create table auth."jwks" (
      "id" text primary key,
      "publicKey" text not null,
      "privateKey" text not null,
      "createdAt" timestamptz not null,
      "expiresAt" timestamptz,
      "alg" text,
      "crv" text
    );
    create index "session_expiresAt_idx" on auth."session" ("expiresAt");
    create index "verification_expiresAt_idx" on auth."verification" ("expiresAt")`.execute(db);
}
