import assert from 'node:assert/strict';
import { explainFileErrors } from '../../../../src/service/backup/explainFileErrors';
import { CommandError } from '../../../../src/service/files/commandError';
import { SecretsKeyError } from '../../../../src/service/secrets/secretsKeySource';

const WORK = {
  source: '/data',
  target: '/nowhere/backup',
  targetOption: '--to',
  estimateBytes: () => Promise.reject(new Error('the source cannot be read')),
};

const fail = (fields: object, message = 'x'): Error => Object.assign(new Error(message), fields);

async function explain(error: Error): Promise<string> {
  const thrown = await explainFileErrors(WORK, () => Promise.reject(error)).catch(
    (it: unknown) => it,
  );
  assert.ok(thrown instanceof CommandError, String(thrown));
  assert.equal(thrown.cause, error);
  return thrown.message;
}

describe('explainFileErrors', () => {
  it('names the file that cannot be read, and who can read it', async () => {
    const path = '/data/blobs/ab/cd';
    assert.equal(
      await explain(fail({ code: 'EACCES', path })),
      `cannot read ${path} (EACCES): run the command as the user that owns the file`,
    );
    assert.equal(
      await explain(fail({ code: 'EIO', path })),
      `cannot read ${path} (EIO): check the file and its disk, and run the command again`,
    );
  });

  it('suggests a writable target', async () => {
    const start = 'cannot write to /nowhere/backup';
    const either = (reason: string): string =>
      `cannot read /data or write to /nowhere/backup (${reason}): check both folders and their disks, and run the command again`;
    for (const [fields, message] of [
      [
        { code: 'EACCES', path: '/nowhere/backup.partial' },
        `${start} (EACCES): give the user that runs the command permission to write there, or specify another folder with --to`,
      ],
      [
        { code: 'EROFS', path: '/nowhere/backup.partial' },
        `${start} (EROFS): its disk is read-only: specify a folder on another disk with --to`,
      ],
      [
        { code: 'EIO', path: '/nowhere/backup.partial' },
        `${start} (EIO): check the folder and its disk, or specify another folder with --to`,
      ],
      [{ code: 'EIO' }, either('EIO')],
      [{ code: 'ERR_SQLITE_ERROR', errcode: 8 }, either('x')],
    ] as const) {
      assert.equal(await explain(fail(fields)), message);
      assert.equal(await explain(fail({ cause: fail(fields) }, 'outer')), message);
    }
  });

  it("explains what to do about full disks, including the database server's", async () => {
    const full =
      'the disk of /nowhere/backup is full: free up space on it, or specify a folder on another disk with --to';
    assert.equal(await explain(fail({ code: 'ENOSPC' })), full);
    assert.equal(await explain(fail({ code: 'ERR_SQLITE_ERROR', errcode: 13 })), full);
    assert.match(
      await explain(fail({ code: '53100' })),
      /^the disk of the database server is full/,
    );
  });

  it('passes on errors that already explain what to do, and errors that are not about files', async () => {
    for (const error of [
      new CommandError('use another one', undefined, { cause: fail({ code: 'EIO' }) }),
      new SecretsKeyError('put it there', { cause: fail({ code: 'EACCES' }) }),
      fail({ code: 'ECONNRESET', syscall: 'read' }),
      fail({ code: 'ERR_SQLITE_ERROR', errcode: 1 }),
      new TypeError('x'),
    ]) {
      const thrown = explainFileErrors(WORK, () => Promise.reject(error));
      await assert.rejects(thrown, (it) => it === error);
    }
  });
});
