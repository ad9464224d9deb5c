// The way in to `npm test` on a fresh clone: any Node, nothing installed.
import { join } from 'node:path';
import { ensureInstalled } from './bootstrap/install.mjs';
import { runOnPinnedNode } from './bootstrap/pinnedNode.mjs';

const root = join(import.meta.dirname, '..');
ensureInstalled(root);
runOnPinnedNode(root, 'scripts/test.ts', process.argv.slice(2));
