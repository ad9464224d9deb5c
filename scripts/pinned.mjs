// Runs a script on the pinned Node, whatever Node the machine has: node scripts/pinned.mjs FILE [ARGS]
import { join } from 'node:path';
import { runOnPinnedNode } from './bootstrap/pinnedNode.mjs';

const [script, ...args] = process.argv.slice(2);
if (script === undefined) throw new Error('Name the script to run.');
runOnPinnedNode(join(import.meta.dirname, '..'), script, args);
