import { writeFileSync } from 'node:fs';
import { commands, extensions } from 'vscode';

/**
 * Environment variable with the path of the result file, which contains JSON: an {@link Activation} by
 * extension ID.
 */
const resultVariable = 'FLEETWRIGHT_ACTIVATION_RESULT';

/**
 * Environment variable with the comma-separated IDs of the extensions to activate, in this order.
 */
const subjectsVariable = 'FLEETWRIGHT_ACTIVATION_SUBJECTS';

export interface Activation {
  readonly milliseconds: number;
  /** Processor time of all threads of the extension host, which other processes don't affect. */
  readonly processorMilliseconds: number;
}

/**
 * Activates each subject for the first time and measures how long a caller waits, including module
 * loading. Called by the extension host.
 */
export async function run(): Promise<void> {
  // Make a round trip to the window first, so that it isn't part of any subject's time.
  await commands.getCommands();
  const figures: Record<string, Activation> = {};
  for (const id of process.env[subjectsVariable]?.split(',') ?? []) {
    const extension = extensions.getExtension(id);
    if (extension === undefined) throw new Error(`${id} is not installed.`);
    if (extension.isActive) throw new Error(`${id} is active before anything asked for it.`);
    const [started, used] = [performance.now(), process.cpuUsage()];
    await extension.activate();
    const milliseconds = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    figures[id] = { milliseconds, processorMilliseconds: (user + system) / 1000 };
  }
  writeFileSync(process.env[resultVariable] ?? '', JSON.stringify(figures));
}
