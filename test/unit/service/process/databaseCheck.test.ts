import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemSleep } from '../../../../src/base/clock';
import { DatabaseCheck } from '../../../../src/service/process/databaseCheck';
import { bundledProgram } from '../../../support/bundledProgram';
import { RecordingLogger } from '../../../support/recordingLogger';
import { waitUntil } from '../../../support/waitUntil';

describe('DatabaseCheck', function () {
  this.timeout(120_000);
  const logger = new RecordingLogger();
  let directory: string;

  beforeEach(() => {
    logger.lines.length = 0;
    directory = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** Writes a program that replaces the service's program. */
  function writeProgram(text: string): string {
    const program = join(directory, 'program.js');
    writeFileSync(program, text);
    return program;
  }

  it('logs the signal that ended its process', async () => {
    const program = writeProgram(
      "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6)",
    );
    await using _check = new DatabaseCheck({ program, directory, logger, sleep: systemSleep });
    await waitUntil(() => logger.lines.length > 0);
    const [{ level, fields } = assert.fail()] = logger.lines;
    assert.deepEqual(
      [level, fields],
      ['warn', { error: 'the process that checks the database exited with SIGKILL' }],
    );
  });

  it('logs the exit code and the output of its process', async () => {
    const program = writeProgram("console.error('no room'); process.exitCode = 3");
    await using _check = new DatabaseCheck({ program, directory, logger, sleep: systemSleep });
    await waitUntil(() => logger.lines.length > 0);
    const error = 'the process that checks the database exited with exit code 3: no room';
    assert.deepEqual(logger.lines[0]?.fields, { error });
  });

  it('is stopped when the write-ahead log becomes too large, and repeated later', async () => {
    const program = writeProgram(
      "require('node:fs').existsSync(__dirname + '/quick') ? console.log('[]') : setInterval(() => {}, 1e6)",
    );
    const log = join(directory, 'fleet.db-wal');
    writeFileSync(log, Buffer.alloc(100));
    const waits: number[] = [];
    const sleep = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      // The log has 150 bytes when the next check starts: more than at first, but within the limit.
      if (milliseconds > 1_000) {
        truncateSync(log, 150);
        writeFileSync(join(directory, 'quick'), '');
      } else if (waits.length === 3) {
        writeFileSync(log, Buffer.alloc(201));
      }
      await systemSleep(1);
    };
    await using _check = new DatabaseCheck({
      program,
      directory,
      logger,
      sleep,
      maxLogGrowth: 100,
    });
    await waitUntil(() => logger.lines.length === 2);
    assert.deepEqual(
      logger.lines.map(({ level, message }) => [level, message]),
      [
        [
          'info',
          'the check of the database was stopped because of many writes, and will be repeated later',
        ],
        ['info', 'the database is intact'],
      ],
    );
    assert.deepEqual(waits.slice(0, 4), [1_000, 1_000, 1_000, 900_000]);
  });

  it('has a process that ends with the service even while SQLite is busy', async function () {
    if (process.platform === 'win32') return;
    const program = await bundledProgram('service');
    const database = join(directory, 'fleet.db');
    // SQLite blocks on a FIFO until it has a writer.
    assert.equal(spawnSync('mkfifo', [database]).status, 0);
    const ids = join(directory, 'ids');
    const service = spawn(process.execPath, [
      '-e',
      `const { spawn } = require('node:child_process');
       const child = spawn(process.execPath, ${JSON.stringify([program, 'check-database', database])});
       require('node:fs').writeFileSync(${JSON.stringify(ids)}, String(child.pid));
       setInterval(() => {}, 1e6);`,
    ]);
    const exited = once(service, 'exit');
    await waitUntil(() => existsSync(ids) && readFileSync(ids, 'utf8') !== '');
    const id = Number(readFileSync(ids, 'utf8'));
    try {
      await waitUntil(() => hasStarted(id));
      service.kill('SIGKILL');
      await exited;
      await waitUntil(() => !isRunning(id));
    } finally {
      if (isRunning(id)) process.kill(id, 'SIGKILL');
    }
  });
});

function describeProcess(id: number, column: string): string {
  const { stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', String(id)], { encoding: 'utf8' });
  return stdout.trim();
}

const isRunning = (id: number): boolean => !/^(Z|$)/.test(describeProcess(id, 'stat'));
/**
 * Returns true if a process has the priority of a check. A check sets its priority before it opens
 * the database.
 */
const hasStarted = (id: number): boolean => describeProcess(id, 'ni') === '19';
