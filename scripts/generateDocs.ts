import { writeFileSync } from 'node:fs';
import { renderCommandsPage } from './support/commandsPage';
import { renderMenusPage } from './support/menusPage';
import { fromRoot } from './support/paths';

/** Writes the pages of `docs` that are generated. */
writeFileSync(fromRoot('docs', 'commands.md'), renderCommandsPage());
writeFileSync(fromRoot('docs', 'menus.md'), renderMenusPage());
