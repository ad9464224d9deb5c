import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrainingFolders } from '../../../../src/service/training/trainingFolders';
import { RecordingLogger } from '../../../support/recordingLogger';

describe('TrainingFolders', () => {
  let root: string;
  let logger: RecordingLogger;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'fleetwright-folders-'));
    logger = new RecordingLogger();
  });

  afterEach(() => {
    chmodSync(root, 0o700);
    rmSync(root, { recursive: true, force: true });
  });

  /** Creates a read-only folder in a script's cache, as some tools do. */
  function closedFolder(job: string): void {
    const folder = join(root, job, 'custom', 'home', 'cache');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'file'), '');
    chmodSync(folder, 0o555);
    chmodSync(join(folder, '..'), 0o000);
  }

  it('are created empty, and deleted with their training', async () => {
    const folders = await TrainingFolders.open(root, logger);
    const { folder, outputFolder } = await folders.make('job');
    writeFileSync(join(outputFolder, 'model'), '');
    assert.deepEqual(readdirSync((await folders.make('job')).outputFolder), []);
    await folders.remove('job');
    assert.ok(!existsSync(folder));
  });

  // The system lets root remove such folders anyway.
  it('are deleted even if a script made some of them unreadable', async () => {
    const folders = await TrainingFolders.open(root, logger);
    await folders.make('job');
    closedFolder('job');
    await folders.remove('job');
    assert.deepEqual(readdirSync(root), []);
  });

  it('of an earlier service are deleted, and do not prevent the next start', async () => {
    closedFolder('earlier');
    await TrainingFolders.open(root, logger);
    assert.deepEqual(readdirSync(root), []);
    // Root can access everything.
    if (process.platform === 'win32' || process.getuid?.() === 0) return;
    mkdirSync(join(root, 'stuck'));
    chmodSync(root, 0o500);
    await TrainingFolders.open(root, logger);
    assert.deepEqual(
      logger.lines.map(({ level, message }) => [level, message]),
      [['warn', 'the remaining files of a training job could not be removed']],
    );
  });
});
