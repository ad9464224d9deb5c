import assert from 'node:assert/strict';
import type { FileSource } from '../../src/core/data/uploads/fileSource';
import { inspectReadings } from '../../src/core/data/uploads/readings/inspectReadings';
import { openReadings } from '../../src/core/data/uploads/readings/openReadings';
import {
  connectionId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../src/core/model/ids';
import type { PartTarget } from '../../src/core/model/resourceTarget';
import { readingsPreview } from '../../src/host/features/uploads/readings/readingsPreview';

describe('readingsPreview', () => {
  const { signal } = new AbortController();
  const part: PartTarget = {
    kind: 'part',
    connectionId: connectionId('c'),
    organizationId: organizationId('o'),
    locationId: locationId('l'),
    machineId: machineId('m'),
    partId: partId('p'),
    machineName: 'arm',
    name: 'main',
  };

  async function preview(path: string, ...lines: readonly string[]): Promise<string> {
    const source: FileSource = {
      path,
      size: 0,
      async *read() {
        yield await Promise.resolve(Buffer.from(lines.join('\n')));
      },
    };
    const layout = await openReadings(source, signal);
    const time = { column: 'time', form: { kind: 'iso' }, zone: 'utc' } as const;
    const inspection = await inspectReadings(layout, time, signal);
    const resource = { component: 'a', componentType: 'b', method: 'c' };
    return readingsPreview(path, layout, { part, time, ...resource, tags: [], inspection });
  }

  it('shows that a column of JSON values has several types', async () => {
    const text = await preview(
      'a.ndjson',
      '{"time":"2026-01-02","celsius":21.5}',
      '{"time":"2026-01-02","celsius":"n/a"}',
    );
    assert.match(text, /^ {2}celsius {2}several types, in 2 of 2, "n\/a" in line 2$/m);
  });

  it('shows which cell turns a column into text', async () => {
    const text = await preview('a.csv', 'time,celsius', '2026-01-02,21.5', '2026-01-02,n/a');
    assert.match(text, /^ {2}celsius {2}text, in 2 of 2, line 3 has "n\/a"$/m);
  });
});
