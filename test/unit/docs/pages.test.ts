import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../../package.json';
import { readManifest } from '../../../scripts/support/manifest';

const manifest = readManifest();

/** Documentation pages for users of the extension or the service. */
const PAGES = ['README.md', ...globSync('docs/*.md')].sort();

/** Generated folders, the data directory of a service, RPCs, and files of a training script. */
const NOT_IN_SOURCE =
  /^(dist|\.cache|\.fleetwright|node_modules|incoming|objects-cache|cursors|outbox|model|fleetwright\.query\.v1\.QueryService)\//;

describe('documentation', () => {
  it('names existing files and folders of the source', () => {
    const pages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'src/service/README.md', 'test/README.md'];
    const named = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/`([\w.-]+\/[\w./{},-]*)`/g)].flatMap(
        ([, path = '']) => expandBraces(path).map((expanded) => ({ page, path: expanded })),
      ),
    );
    assert.ok(named.length > 50);
    const roots = ['.', 'src', 'src/service', 'webview', 'test'];
    const missing = named.filter(
      ({ path }) =>
        !NOT_IN_SOURCE.test(path) && roots.every((folder) => !existsSync(join(folder, path))),
    );
    assert.deepEqual(missing, []);
  });

  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');

    it(`${page} names commands of the Command Palette`, () => {
      const hidden = new Set(
        manifest.menus.commandPalette?.flatMap(({ command, when }) =>
          when === 'false' ? [command] : [],
        ),
      );
      const known = new Set(
        manifest.commands
          .filter(({ command }) => !hidden.has(command))
          .map(({ category, title }) => `${category}: ${title}`),
      );
      const named = [...text.matchAll(/\*\*(Fleetwright[^*:]*: [^*]+)\*\*/g)].map(
        ([, title = '']) => title.replace(/\s+/g, ' '),
      );
      assert.deepEqual(
        named.filter((title) => !known.has(title)),
        [],
      );
    });

    it(`${page} names existing settings`, () => {
      const known = new Set(Object.keys(packageJson.contributes.configuration.properties));
      const named = [...text.matchAll(/`(fleetwright\.[\w.]+)`/g)].map(([, id = '']) => id);
      const commands = new Set(manifest.commands.map(({ command }) => command));
      const views = new Set(packageJson.contributes.views.fleetwright.map(({ id }) => id));
      assert.deepEqual(
        named.filter((id) => !known.has(id) && !commands.has(id) && !views.has(id)),
        [],
      );
    });

    it(`${page} links to existing files`, () => {
      const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !target.includes('://'));
      assert.deepEqual(
        targets.filter((target) => !existsSync(join(dirname(page), target))),
        [],
      );
    });
  }
});

/** Expands `a/{b,c}/` to `a/b/` and `a/c/`. */
function expandBraces(path: string): string[] {
  const [, before = '', choices = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return choices === '' ? [path] : choices.split(',').map((choice) => before + choice + after);
}
