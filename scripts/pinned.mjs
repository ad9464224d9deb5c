// Runs a script on the pinned Node: node scripts/pinned.mjs FILE [ARGS]. This program itself works
// with any installed Node. It first installs the packages if they are missing or older than the
// lock file.
import { join } from 'node:path';
import { ensureInstalled } from './bootstrap/install.mjs';
import { runOnPinnedNode } from './bootstrap/pinnedNode.mjs';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) throw new Error('Name the script to run.');
const root = join(import.meta.dirname, '..');
ensureInstalled(root);
runOnPinnedNode(root, script, args);
