import { writeFileSync } from 'node:fs';
import { commands, extensions } from 'vscode';

/** Variable with the path of the result file, in JSON: `{[extension id]: milliseconds}`. */
const resultVariable = 'FLEETWRIGHT_ACTIVATION_RESULT';

/** Variable with the IDs of the extensions to activate, in this order, separated by commas. */
const subjectsVariable = 'FLEETWRIGHT_ACTIVATION_SUBJECTS';

/**
 * Called by the extension host: activates each subject for the first time and measures how long a
 * caller waits, including module loading.
 */
export async function run(): Promise<void> {
  // A round trip to the window, so that no subject includes the first one.
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
