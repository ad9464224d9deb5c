import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { LimitedFile, limitSpools } from '../../../../src/core/agentTools/limitedFile';
import type { ExportFile } from '../../../../src/core/data/export/recordWriter';
import type { SpoolFactory } from '../../../../src/core/query/results/rowStore';
import { isFleetError } from '../../../support/isFleetError';

const isTooLarge = (error: unknown): boolean =>
  isFleetError(error, 'invalid') && error.message.startsWith('The result is too large.');

describe('limits for exports of agents', () => {
  it('apply to the file, also if it is rewritten', async () => {
    const written: number[] = [];
    const file: ExportFile = {
      write: (bytes) => Promise.resolve(void written.push(bytes.length)),
      rewrite: async (_, change) => {
        const content = Readable.from([new Uint8Array(4)]);
        for await (const bytes of change(content)) written.push(bytes.length);
      },
    };
    const limited = new LimitedFile(file, 10);
    await limited.write(new Uint8Array(8));
    assert.equal(limited.bytes, 8);
    assert.throws(() => limited.write(new Uint8Array(3)), isTooLarge);
    await limited.rewrite(0, (content) => content);
    assert.equal(limited.bytes, 4);
    const rewritten = limited.rewrite(0, async function* () {
      await Promise.resolve();
      yield new Uint8Array(11);
    });
    await assert.rejects(rewritten, isTooLarge);
    assert.deepEqual(written, [8, 4]);
  });

  it('apply to all temporary files together', async () => {
    const written: number[] = [];
    const spools: SpoolFactory = {
      create: () =>
        Promise.resolve({
          append: (bytes) => Promise.resolve(void written.push(bytes.length)),
          read: (_, length) => Promise.resolve(new Uint8Array(length)),
          dispose: () => undefined,
        }),
    };
    const limited = limitSpools(spools, 10);
    const [first, second] = [await limited.create(), await limited.create()];
    await first.append(new Uint8Array(6));
    await assert.rejects(second.append(new Uint8Array(5)), isTooLarge);
    assert.deepEqual(written, [6]);
    assert.equal((await first.read(0, 3)).length, 3);
  });
});
