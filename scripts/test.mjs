// Entry point of `npm test` in a fresh clone; works with any Node version and without installed
// packages.
import { join } from 'node:path';
import { ensureInstalled } from './bootstrap/install.mjs';
import { runOnPinnedNode } from './bootstrap/pinnedNode.mjs';

const root = join(import.meta.dirname, '..');
ensureInstalled(root);
runOnPinnedNode(root, 'scripts/test.ts', process.argv.slice(2));
