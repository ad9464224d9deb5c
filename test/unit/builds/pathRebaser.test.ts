import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PathRebaser } from '../../../src/builds/pathRebaser';

describe('paths in the output of compilers', () => {
  let outer: string;
  let folder: string;

  before(() => {
    outer = mkdtempSync(join(tmpdir(), 'fleetwright-test-'));
    folder = join(outer, 'modules/wheel');
    mkdirSync(join(folder, 'src'), { recursive: true });
    for (const name of ['src/main.c', 'src/a b.ts', 'main.py']) {
      writeFileSync(join(folder, name), '');
    }
  });

  after(() => rmSync(outer, { recursive: true, force: true }));

  async function rebase(...chunks: readonly (string | Buffer)[]): Promise<string> {
    const paths = new PathRebaser(folder, outer);
    const all = text(paths);
    for (const chunk of chunks) paths.write(chunk);
    paths.end();
    return all;
  }

  it('are rewritten relative to the outer folder if the files exist', async () => {
    const lines = [
      ['src/main.c:1:5: error: x', 'modules/wheel/src/main.c:1:5: error: x'],
      ['./src/main.c:1: y', 'modules/wheel/src/main.c:1: y'],
      ['src/a b.ts(3,7): error TS1: z', 'modules/wheel/src/a b.ts(3,7): error TS1: z'],
      ['  File "main.py", line 3, in f', '  File "modules/wheel/main.py", line 3, in f'],
      ['\u001b[1msrc/main.c:1:5:\u001b[0m', '\u001b[1mmodules/wheel/src/main.c:1:5:\u001b[0m'],
    ];
    for (const [line = '', expected] of lines) assert.equal(await rebase(line), expected);
  });

  it('preserve all other text', async () => {
    const lines = [
      'src/gone.c:1:5: error: x',
      join(folder, 'src/main.c:1:5: error: x'),
      'see src/main.c:1:5',
      'https://example.com:443/',
      '12:30:01 done',
      '\u001b[2K50 %\r',
      '',
      'ü',
    ];
    const all = `${lines.join('\n')}\n`;
    assert.equal(await rebase(all), all);
  });

  it('are found with the output split at any position', async () => {
    const all = Buffer.from('ü\nsrc/main.c:1:5: é\nsrc/main.c:2:1: ö');
    for (let at = 1; at < all.length; at++) {
      assert.equal(
        await rebase(all.subarray(0, at), all.subarray(at)),
        'ü\nmodules/wheel/src/main.c:1:5: é\nmodules/wheel/src/main.c:2:1: ö',
      );
    }
  });

  it('do not delay a prompt without a line break', async () => {
    const paths = new PathRebaser(folder, outer);
    let written = '';
    paths.on('data', (data: Buffer) => (written += String(data)));
    paths.write('Go on? ');
    await once(paths, 'data');
    assert.equal(written, 'Go on? ');
    paths.end('src/main.c:1:1: no beginning\nsrc/main.c:1:1: one\n');
    await once(paths, 'end');
    assert.equal(
      written,
      'Go on? src/main.c:1:1: no beginning\nmodules/wheel/src/main.c:1:1: one\n',
    );
  });
});
