import { writeFileSync } from 'node:fs';
import { renderCommandsPage } from './support/commandsPage';
import { readManifest } from './support/manifest';
import { renderMenusPage } from './support/menusPage';
import { fromRoot } from './support/paths';

const manifest = readManifest();

/** Writes the generated pages in `docs`. */
writeFileSync(fromRoot('docs', 'commands.md'), renderCommandsPage(manifest));
writeFileSync(fromRoot('docs', 'menus.md'), renderMenusPage(manifest));
