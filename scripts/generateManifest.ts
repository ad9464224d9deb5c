import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { renderAgentsPage } from './support/agentsPage';
import { renderCommandsPage } from './support/commandsPage';
import { renderPackageJson, skillFiles } from './support/contributions';
import { readManifest } from './support/manifest';
import { renderMenusPage } from './support/menusPage';
import { fromRoot } from './support/paths';

const packageJson = renderPackageJson();
const manifest = readManifest(packageJson);
const files = {
  'package.json': packageJson,
  'docs/commands.md': renderCommandsPage(manifest),
  'docs/menus.md': renderMenusPage(manifest),
  'docs/agents.md': renderAgentsPage(readFileSync(fromRoot('docs/agents.md'), 'utf8')),
  ...skillFiles,
};

/**
 * Writes the commands and menus of `src/manifest` to package.json and the pages in `docs`, and the
 * skills for agents. With `--check`, only compares them with the files, and fails if a file is
 * outdated.
 */
for (const [file, text] of Object.entries(files)) {
  const path = fromRoot(file);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} is outdated. Run npm run manifest.`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
