import assert from 'node:assert/strict';
import { build } from 'esbuild';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { bundles } from '../../../scripts/support/bundles';
import { writeModuleTemplates } from '../../../scripts/support/moduleTemplates';
import { ownVsixLimitBytes } from '../../../scripts/support/packExtension';
import { root } from '../../../scripts/support/paths';
import { stageExtension } from '../../../scripts/support/stageExtension';

/** Bytes of a file's two headers in a ZIP archive, without its path, which is in both. */
const ZIP_HEADER_BYTES = 92;

describe('a VSIX without the query engine', function () {
  this.timeout(120_000);
  let folder: string;
  let staged: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'fleetwright-size-'));
    const built = join(folder, 'built');
    await Promise.all(
      bundles({ root, production: true }).map((options) =>
        build({ ...options, outdir: join(built, options.outdir ?? '') }),
      ),
    );
    writeModuleTemplates(join(built, 'dist', 'moduleTemplates'));
    for (const path of globSync('{.vscodeignore,*.json,*.md,LICENSE,l10n,media}', { cwd: root })) {
      cpSync(join(root, path), join(built, path), { recursive: true });
    }
    staged = join(folder, 'staged');
    stageExtension({ source: built, folder: staged, target: 'universal', packages: [] });
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('loads the API once at activation', () => {
    const text = readFileSync(join(staged, 'dist', 'extensionMain.js'), 'utf8');
    assert.equal(text.split('require("vscode")').length, 2);
  });

  it('is within the size limit', () => {
    const files = globSync('**', { cwd: staged }).filter((path) =>
      statSync(join(staged, path)).isFile(),
    );
    const bytes = files.reduce((sum, path) => {
      const compressed = deflateRawSync(readFileSync(join(staged, path))).length;
      return sum + compressed + ZIP_HEADER_BYTES + 2 * `extension/${path}`.length;
    }, 0);
    assert.ok(files.includes(join('dist', 'service.js')));
    assert.ok(bytes <= ownVsixLimitBytes, `${bytes} bytes are more than ${ownVsixLimitBytes}.`);
  });
});
