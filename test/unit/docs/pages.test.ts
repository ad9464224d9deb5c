import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import manifest from '../../../package.json';
import titles from '../../../package.nls.json';
import { renderCommandsPage } from '../../../scripts/support/commandsPage';
import { renderMenusPage } from '../../../scripts/support/menusPage';

/** Pages for people who use the extension or the service. */
const PAGES = ['README.md', ...globSync('docs/*.md')].sort();

describe('documentation', () => {
  it('lists the commands of the manifest (npm run docs)', () => {
    assert.equal(readFileSync('docs/commands.md', 'utf8'), renderCommandsPage());
  });

  it('lists the context menus of the manifest (npm run docs)', () => {
    assert.equal(readFileSync('docs/menus.md', 'utf8'), renderMenusPage());
  });

  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');

    it(`${page} names existing commands`, () => {
      const known = new Set(manifest.contributes.commands.map(({ title }) => titleOf(title)));
      const named = [...text.matchAll(/\*\*Fleetwright: ([^*]+)\*\*/g)].map(([, title = '']) =>
        title.replace(/\s+/g, ' '),
      );
      assert.deepEqual(
        named.filter((title) => !known.has(title)),
        [],
      );
    });

    it(`${page} names existing settings`, () => {
      const known = new Set(Object.keys(manifest.contributes.configuration.properties));
      const named = [...text.matchAll(/`(fleetwright\.[\w.]+)`/g)].map(([, id = '']) => id);
      const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
      const views = new Set(manifest.contributes.views.fleetwright.map(({ id }) => id));
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

function titleOf(key: string): string {
  return (titles as Record<string, string>)[key.slice(1, -1)] ?? key;
}
