import { writeFileSync } from 'node:fs';
import { commands, extensions } from 'vscode';

/** Names the file that takes the figures, as JSON: `{[extension id]: milliseconds}`. */
const resultVariable = 'FLEETWRIGHT_ACTIVATION_RESULT';

/** Ids of the extensions to activate, in this order, separated by commas. */
const subjectsVariable = 'FLEETWRIGHT_ACTIVATION_SUBJECTS';

/**
 * What the extension host calls: activates each subject for the first time and takes the time that
 * a caller waits, module loading included.
 */
export async function run(): Promise<void> {
  // A round trip to the window, so that no subject pays for the first one.
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
