import { describe, expect, test } from '@jest/globals';
import { hasMore } from '../../../web/event/list-paging.js';
import { eventExample } from '../../support/expect/examples.js';

const page = (events: number, total?: number) => ({
  events: Array.from({ length: events }, () => eventExample),
  page: 1,
  per_page: 12,
  ...(total === undefined ? {} : { total }),
});

describe('the list of events', () => {
  test('of one venue goes on until its last event, also after a page from which one was left out', () => {
    expect(hasMore(page(11, 30), 1)).toBe(true);
    expect(hasMore(page(12, 12), 1)).toBe(false);
    expect(hasMore(page(12), 1)).toBe(true);
    expect(hasMore(page(11), 1)).toBe(false);
  });

  test('of several venues goes on while one of them has events', () => {
    expect(hasMore(page(6, 100), 2)).toBe(true);
    expect(hasMore(page(0, 100), 2)).toBe(false);
  });
});
