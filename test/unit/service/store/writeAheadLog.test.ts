import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readWriteAheadLog } from '../../../../src/service/store/writeAheadLog';

const HEADER_BYTES = 32;
const FRAME_BYTES = 24 + 4096;

describe('readWriteAheadLog', () => {
  let folder: string;
  let database: DatabaseSync;
  let log: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleetwright-test-'));
    const path = join(folder, 'a.db');
    log = `${path}-wal`;
    database = new DatabaseSync(path);
    database.exec('pragma page_size = 4096; pragma journal_mode = wal; create table t (x)');
  });
  afterEach(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  const write = (rows: number): void => {
    for (let n = 0; n < rows; n += 1) database.exec('insert into t values (hex(randomblob(500)))');
  };

  /** Returns a copy of the database files, as they would be after a crash. */
  const copyLog = async (): Promise<string> => {
    const path = join(folder, 'copy-wal');
    await copyFile(log, path);
    return path;
  };

  it('finds nothing unreadable in a log that was not closed', async () => {
    write(20);
    assert.deepEqual(await readWriteAheadLog(await copyLog()), { unreadableBytes: 0 });
  });

  it('finds nothing unreadable in entries of an earlier round behind the current ones', async () => {
    write(20);
    const { size } = await stat(log);
    database.exec('pragma wal_checkpoint(restart)');
    write(1);
    assert.equal((await stat(log)).size, size, 'the log was not used again');
    assert.deepEqual(await readWriteAheadLog(await copyLog()), { unreadableBytes: 0 });
  });

  it('is undefined without a log, and with an empty one', async () => {
    assert.equal(await readWriteAheadLog(join(folder, 'none')), undefined);
    database.exec('pragma wal_checkpoint(truncate)');
    assert.equal(await readWriteAheadLog(log), undefined);
  });

  it('finds the rest of a truncated entry', async () => {
    write(20);
    const copy = await copyLog();
    for (const rest of [1, 20, 1000]) {
      await writeFile(
        copy,
        (await readFile(log)).subarray(0, HEADER_BYTES + 3 * FRAME_BYTES + rest),
      );
      assert.deepEqual(await readWriteAheadLog(copy), { unreadableBytes: rest });
    }
  });

  it('finds everything after a changed byte', async () => {
    write(20);
    const bytes = await readFile(log);
    const copy = await copyLog();
    for (const [offset, unreadableBytes] of [
      [HEADER_BYTES + 3 * FRAME_BYTES + 100, bytes.length - HEADER_BYTES - 3 * FRAME_BYTES],
      [5, bytes.length],
    ] as const) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset);
      await writeFile(copy, changed);
      assert.deepEqual(await readWriteAheadLog(copy), { unreadableBytes });
    }
  });
});
