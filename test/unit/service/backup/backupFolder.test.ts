import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromRoot } from '../../../../scripts/support/paths';

const FILES = 300_000;
/**
 * Heap limit that is enough for the program and its loader to start; a list of the files would need
 * several times as much.
 */
const HEAP_MEBIBYTES = 48;

describe('describeBackup and listFiles', () => {
  it('use the same memory for 300,000 files as for one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    try {
      const program = fromRoot('test/unit/service/backup/describeManyFiles.ts');
      const heap = `--max-old-space-size=${String(HEAP_MEBIBYTES)}`;
      const args = [heap, '--import', 'tsx', program, folder, String(FILES)];
      await assert.doesNotReject(promisify(execFile)(process.execPath, args));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
