import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type BackupFile,
  describeBackup,
  listFiles,
  readManifest,
} from '../../../../src/service/backup/backupFolder';

// Separate program that a test runs with little memory.
const [folder = '', count = ''] = process.argv.slice(2);

function* manyFiles(): Generator<BackupFile, undefined> {
  for (let n = 0; n < Number(count); n += 1) {
    const sha256 = createHash('sha256').update(String(n)).digest('hex');
    yield { path: `blobs/${sha256.slice(0, 2)}/${sha256.slice(2)}`, sha256 };
  }
  return undefined;
}

async function main(): Promise<void> {
  await describeBackup(folder, manyFiles(), {
    createdAt: new Date(0).toISOString(),
    version: '0.0.0',
    secretsKeyId: '',
    contents: Number(count),
    unavailable: 0,
    objectsUrl: '',
  });
  assert.equal((await readManifest(folder)).files, Number(count));
  const expected = manyFiles();
  for await (const { path, sha256 } of listFiles(folder)) {
    const file = expected.next().value;
    assert.ok(path === file?.path && sha256 === file.sha256, path);
  }
  assert.ok(expected.next().done);
}

void main();
