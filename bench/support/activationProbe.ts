import { writeFileSync } from 'node:fs';
import { commands, extensions } from 'vscode';

/**
 * Environment variable with the path of the result file, which contains JSON: `{[extension id]:
 * milliseconds}`.
 */
const resultVariable = 'FLEETWRIGHT_ACTIVATION_RESULT';

/**
 * Environment variable with the comma-separated IDs of the extensions to activate, in this order.
 */
const subjectsVariable = 'FLEETWRIGHT_ACTIVATION_SUBJECTS';

/**
 * Activates each subject for the first time and measures how long a caller waits, including module
 * loading. Called by the extension host.
 */
export async function run(): Promise<void> {
  // Make a round trip to the window first, so that it isn't part of any subject's time.
  await commands.getCommands();
  const figures: Record<string, number> = {};
  for (const id of process.env[subjectsVariable]?.split(',') ?? []) {
    const extension = extensions.getExtension(id);
    if (extension === undefined) throw new Error(`${id} is not installed.`);
    if (extension.isActive) throw new Error(`${id} is active before anything asked for it.`);
    const started = performance.now();
    await extension.activate();
    figures[id] = performance.now() - started;
  }
  writeFileSync(process.env[resultVariable] ?? '', JSON.stringify(figures));
}
