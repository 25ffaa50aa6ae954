import { checkClock } from './check-clock.js';
import { checkDatabase } from './check-database.js';
import { checkEncryptionKeys } from './check-encryption-keys.js';
import { checkHome, checkNode, checkPayments, checkSettings } from './check-machine.js';
import { checkPort, checkUiPort } from './check-ports.js';
import { checkApiKey, checkService } from './check-service.js';
import { checkTemporal } from './check-temporal.js';
import type { DoctorWorld } from './doctor-world.js';
import type { Check } from './run-checks.js';

const looksMs = 5_000;
const asksMs = 8_000;
/** Connects first, and then asks several things. */
const asksTemporalMs = 15_000;

/** All but the models, which take longer. */
export function allChecks(world: DoctorWorld): readonly Check[] {
  return [
    { name: 'settings', withinMs: looksMs, look: () => checkSettings(world) },
    { name: 'node', withinMs: looksMs, look: () => checkNode() },
    { name: 'home', withinMs: looksMs, look: () => checkHome(world) },
    { name: 'service', withinMs: asksMs, look: () => checkService(world) },
    { name: 'api_key', withinMs: asksMs, look: () => checkApiKey(world) },
    { name: 'port', withinMs: asksMs, look: () => checkPort(world) },
    { name: 'ui_port', withinMs: asksMs, look: () => checkUiPort(world) },
    { name: 'encryption_keys', withinMs: asksMs, look: () => checkEncryptionKeys(world) },
    { name: 'database', withinMs: asksMs, look: () => checkDatabase(world) },
    { name: 'temporal', withinMs: asksTemporalMs, look: () => checkTemporal(world) },
    { name: 'clock', withinMs: asksMs, look: () => checkClock(world) },
    { name: 'payments', withinMs: looksMs, look: () => checkPayments(world) },
  ];
}
