import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { Random } from '../../../src/simulate/random';
import { shares, USUAL_SOURCES } from '../../../src/simulate/readings/tabularSource';

const START = Date.parse('2026-03-02T00:00:00Z');
const STEP_MS = 5 * 60_000;
const DAY_STEPS = (24 * 3600 * 1000) / STEP_MS;

/** Returns the data that a source measures every five minutes over a number of days. */
function measured(name: string, days = 5): JsonObject[] {
  const source = USUAL_SOURCES.find(({ componentName }) => componentName === name);
  assert.ok(source, name);
  const measure = source.model(new Random('machine').of(name));
  return Array.from({ length: days * DAY_STEPS }, (_, index) =>
    measure(new Date(START + index * STEP_MS)),
  );
}

function readings(name: string, days?: number): JsonObject[] {
  return measured(name, days).map((payload) => payload.readings as JsonObject);
}

describe('the readings of simulated machines', () => {
  it('have the format of their component: sensors have them under readings', () => {
    for (const { componentType, componentName, methodName } of USUAL_SOURCES) {
      const [payload = {}] = measured(componentName);
      const keys = Object.keys(payload);
      if (methodName === 'Readings') {
        assert.deepEqual(keys, ['readings'], componentName);
      } else {
        assert.ok(!keys.includes('readings'), componentName);
      }
      assert.match(componentType, /^rdk:component:[a-z_]+$/);
    }
    assert.deepEqual(Object.keys(measured('gps')[0] ?? {}), ['coordinate', 'altitude_m']);
  });

  it('follow the day, with outliers and missing fields', () => {
    const climate = readings('climate', 20);
    const at = (hour: number): number => {
      const values = climate
        .filter((_, index) => Math.floor((index % DAY_STEPS) / 12) === hour)
        .map(({ temperature }) => Number(temperature))
        .sort((one, other) => one - other);
      return values[Math.floor(values.length / 2)] ?? NaN;
    };
    assert.ok(at(15) > at(3) + 2, `${at(15)} ${at(3)}`);
    const outliers = climate.filter(({ temperature }) => Number(temperature) > 60).length;
    assert.ok(outliers > 0 && outliers < climate.length / 100, String(outliers));
    const missing = climate.filter(({ humidity }) => humidity === undefined).length;
    assert.ok(missing > 0 && missing < climate.length / 50, String(missing));
  });

  it('discharge and charge batteries', () => {
    const battery = readings('battery');
    const charges = battery.map((one) => Number(one.charge_pct));
    assert.ok(Math.min(...charges) < 30 && Math.max(...charges) > 90);
    assert.ok(charges.every((charge) => charge >= 0 && charge <= 100));
    for (const { amperes, is_charging: isCharging } of battery) {
      assert.equal(Number(amperes) > 0, isCharging);
    }
  });

  it('increase counts of doors and machine cycles', () => {
    for (const [name, field] of [
      ['door', 'openings'],
      ['status', 'cycles'],
    ] as const) {
      const counts = readings(name).map((one) => Number(one[field]));
      assert.deepEqual(
        counts,
        counts.toSorted((one, other) => one - other),
      );
      assert.ok((counts.at(-1) ?? 0) > (counts[0] ?? 0));
    }
    const states = new Set(readings('status').map(({ state }) => state));
    assert.deepEqual(states, new Set(['idle', 'running', 'fault']));
  });

  it('contain only numbers that JSON supports', () => {
    for (const { componentName } of USUAL_SOURCES) {
      assert.doesNotMatch(JSON.stringify(measured(componentName)), /null/, componentName);
    }
  });
});

describe('shares', () => {
  it('adds up to the total, by weight', () => {
    for (const total of [0, 1, 7, 1000, 1_000_003]) {
      const counts = shares(total, [5, 4, 3, 3, 2, 1, 1, 1]);
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        total,
      );
      assert.ok(counts.every((count) => count >= 0));
    }
    assert.deepEqual(shares(40, [3, 1]), [30, 10]);
  });
});
