import { expect, test } from '@jest/globals';
import { temporalProcessName } from '../../../tools/bench/results/server-processes.js';

test.each([
  [
    '/opt/temporal/temporal-server --root /etc/t --config c start --service=frontend',
    'temporal-server frontend',
  ],
  ['temporal-server --env docker start --service history', 'temporal-server history'],
  ['temporal-server start --svc matching', 'temporal-server matching'],
  ['temporal-server start', 'temporal-server'],
  ['/usr/bin/temporal server start-dev --ip 127.0.0.1 --port 7233 --namespace default', 'temporal'],
])('%s is a process of Temporal', (line, name) => {
  expect(temporalProcessName(line, '7233')).toBe(name);
});

test.each([
  ['a dev server on another port', 'temporal server start-dev --ip 127.0.0.1 --port 72330'],
  ['a command of the tool', 'temporal workflow list --address 127.0.0.1:7233'],
  ['a program that only names it', 'vim /etc/temporal-server --service=frontend'],
  ['a process without a command line', ''],
])('%s is not measured', (_, line) => {
  expect(temporalProcessName(line, '7233')).toBeNull();
});
