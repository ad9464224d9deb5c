import assert from 'node:assert/strict';
import { FleetError } from '../../src/core/api/errors';
import { runBulk } from '../../src/core/bulk/bulkRun';
import {
  connectionId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../src/core/model/ids';
import type { PartTarget } from '../../src/core/model/resourceTarget';
import {
  createReport,
  formatReport,
  formatSummary,
} from '../../src/host/platform/commands/bulkReports';
import { formatTarget, formatTargetCounts } from '../../src/host/features/bulk/bulkTargets';

function part(machineName: string, name: string): PartTarget {
  return {
    kind: 'part',
    connectionId: connectionId('c'),
    organizationId: organizationId('o'),
    locationId: locationId('l'),
    machineId: machineId(machineName),
    machineName,
    partId: partId(`${machineName}/${name}`),
    name,
  };
}

describe('the report of a bulk operation', () => {
  it('begins with failures, and names every resource', async () => {
    const controller = new AbortController();
    const parts = ['arm-1', 'arm-2', 'arm-3'].map((machine) => part(machine, 'main'));
    const outcomes = await runBulk(
      parts,
      ({ machineName }) => {
        if (machineName !== 'arm-2') return Promise.resolve();
        controller.abort();
        throw new FleetError('permission', "Your API key doesn't have permission to control it.");
      },
      { limit: 1, signal: controller.signal },
    );
    const report = {
      ...createReport('Restart 3 parts', outcomes, formatTarget),
      unchanged: ['agv-1'],
      skipped: [{ name: 'Plant', reason: 'It is a location.' }],
    };
    assert.equal(
      formatSummary(report),
      'Restart 3 parts: 1 done, 1 unchanged, 1 failed, 1 skipped, 1 not started.',
    );
    const [title, , counts, ...rest] = formatReport(report, new Date()).split('\n');
    assert.deepEqual(
      [title, counts],
      ['Restart 3 parts', '1 done, 1 unchanged, 1 failed, 1 skipped, 1 not started'],
    );
    assert.equal(
      rest.join('\n'),
      `
Failed (1)
  arm-2 › main
      Your API key doesn't have permission to control it.

Skipped (1)
  Plant
      It is a location.

Not started (1)
  arm-3 › main

Done (1)
  arm-1 › main

Unchanged (1)
  agv-1
`,
    );
  });

  it('counts resources from outer to inner kinds, regardless of the selection order', () => {
    const kinds = ['part', 'machine', 'location', 'part'] as const;
    assert.equal(
      formatTargetCounts(kinds.map((kind) => ({ kind }))),
      '1 location, 1 machine, and 2 parts',
    );
  });

  it('counts the members of groups', () => {
    const report = {
      ...createReport('Upload 9 readings', [], String),
      done: 4,
      failed: [{ name: 'Lines 6 to 7', count: 2, reason: 'The service is unavailable.' }],
      notStarted: [{ name: 'Lines 8 to 10', count: 3 }],
    };
    assert.equal(formatSummary(report), 'Upload 9 readings: 4 done, 2 failed, 3 not started.');
    const [, , , ...rest] = formatReport(report, new Date()).split('\n');
    assert.equal(
      rest.join('\n'),
      `
Failed (2)
  Lines 6 to 7
      The service is unavailable.

Not started (3)
  Lines 8 to 10

Done (4)
`,
    );
  });
});
