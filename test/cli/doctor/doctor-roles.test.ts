import { describe, expect, test } from '@jest/globals';
import { assessDatabase } from '../../../cli/doctor/check-database.js';
import type { RoleState } from '../../../db/service-role.js';
import { boundRole } from './doctor-support.js';

const containing = (text: string) => expect.stringContaining(text);

describe('the role of the database', () => {
  const state = { now: new Date(), majorVersion: 18, pending: [], unknown: [] };
  const assess = (more: Partial<RoleState>) =>
    assessDatabase({ ...state, role: { ...boundRole, ...more } }, { place: 'db', embedded: false });

  test.each<[Partial<RoleState>, string]>([
    [{ ownsTables: true, createsObjects: true }, 'as app, which owns its tables'],
    [{ superuser: true, ownsTables: true, createsObjects: true }, 'as app, a superuser'],
    [{ createsObjects: true }, 'as app, which may create'],
  ])('%j is a warning: reports are made all the same', (more, detail) => {
    expect(assess(more)).toMatchObject([
      { state: 'ok' },
      { state: 'warning', detail: containing(detail), next: containing('"Database roles"') },
    ]);
  });

  test('a table that it may not read is a problem, and the owner’s migration the remedy', () => {
    expect(assess({ unreadable: ['accounts', 'reports'] })).toMatchObject([
      {
        state: 'problem',
        detail: 'app may not read accounts, reports at db',
        next: containing('npm run migrate'),
      },
    ]);
  });
});
