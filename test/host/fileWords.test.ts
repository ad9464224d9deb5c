import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeFileError } from '../../src/host/platform/files/exportToFile';

describe('the message about a file that could not be written', () => {
  it('contains the cause, and what to do', async () => {
    const failure = async (path: string): Promise<string> => {
      try {
        await (await open(path, 'w')).close();
      } catch (error) {
        return describeFileError(error);
      }
      assert.fail(`${path} was written`);
    };
    assert.equal(
      await failure(join(tmpdir(), 'nothing here', 'a.csv')),
      "The folder doesn't exist or can't contain files. Select another folder.",
    );
    assert.equal(
      await failure(tmpdir()),
      'A folder with this name already exists. Enter another name.',
    );
    assert.equal(
      describeFileError(new Error('The service has stopped.')),
      'The service has stopped.',
    );
  });
});
