import type { JsonObject } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import {
  chartSeries,
  summarizeSeries,
  thinOut,
} from '../../../../src/core/data/tables/chartSeries';
import type { CaptureSource } from '../../../../src/core/model/binaryItem';
import { locationId, machineId, organizationId, partId } from '../../../../src/core/model/ids';
import type { Reading } from '../../../../src/core/model/reading';

const celsius = { path: ['celsius'], name: 'data.celsius' };
const rpm = { path: ['rpm'], name: 'data.rpm' };

function source(componentName: string): CaptureSource {
  return {
    organizationId: organizationId('o'),
    locationId: locationId('l'),
    machineId: machineId('m'),
    machineName: 'rover',
    partId: partId('p'),
    partName: 'main',
    componentType: 'sensor',
    componentName,
    method: 'Readings',
  };
}

function reading(at: number, data: JsonObject, component = 'mast'): Reading {
  return { source: source(component), at, receivedAt: at, tags: [], data };
}

describe('the chart of readings', () => {
  it('has one line for each column of each resource, oldest first', () => {
    const readings = [
      reading(30, { celsius: 3, rpm: 300 }),
      reading(20, { celsius: 2 }, 'tank'),
      reading(10, { celsius: 1 }),
    ];
    const lines = chartSeries(readings, [celsius, rpm]).map((line) => [
      line.source.componentName,
      line.column.name,
      line.times,
      line.values,
    ]);
    assert.deepEqual(lines, [
      ['mast', 'data.celsius', [10, 30], [1, 3]],
      ['mast', 'data.rpm', [30], [300]],
      ['tank', 'data.celsius', [20], [2]],
    ]);
  });

  it('excludes values that are not numbers, and times outside of the range', () => {
    const data: JsonObject[] = [{ celsius: '5' }, { celsius: null }, { celsius: NaN }, {}];
    const readings = [...data, { celsius: 6 }, { celsius: 7 }].map((one, at) => reading(at, one));
    const [line] = chartSeries(readings, [celsius], { start: 0, end: 4 });
    assert.deepEqual([line?.times, line?.values], [[4], [6]]);
  });

  it('has averages even if a sum exceeds the largest number', () => {
    const sum = summarizeSeries([4, 1, 7, 4]);
    assert.deepEqual(sum, { points: 4, least: 1, greatest: 7, mean: 4, first: 4, last: 4 });
    const { mean } = summarizeSeries([1e308, 1e308, -1e308, 1e308]);
    assert.ok(Math.abs(mean / 5e307 - 1) < 1e-9);
  });

  it('is downsampled without losing peaks or ends', () => {
    const y = Array.from({ length: 50_000 }, (_, at) => (at === 31_337 ? 99 : at % 10));
    const x = y.map((_, at) => at);
    const thin = thinOut({ x, y }, 1_000);
    const remaining = Array.from(thin.x);
    assert.ok(remaining.length <= 1_000 && remaining.length === thin.y.length);
    assert.ok(Array.from(thin.y).includes(99));
    assert.deepEqual([remaining[0], remaining.at(-1)], [0, 49_999]);
    assert.deepEqual(
      remaining,
      remaining.toSorted((a, b) => a - b),
    );
    assert.equal(thinOut({ x, y }, 50_000).y, y);
  });
});
