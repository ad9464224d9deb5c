import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { commands, extensions } from 'vscode';
import { type Activation, activationVariables } from './activationVariables';

const cacheLimitMs = 60_000;
const pollMs = 200;

async function waitForCodeCache(folder: string): Promise<void> {
  const deadline = performance.now() + cacheLimitMs;
  const isWritten = (): boolean =>
    existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.bin'));
  while (!isWritten()) {
    if (performance.now() > deadline) throw new Error(`No code cache was written to ${folder}.`);
    await sleep(pollMs);
  }
}

/**
 * Activates each subject for the first time and measures how long a caller waits, including module
 * loading. Called by the extension host.
 *
 * @throws Error if no code cache was written a minute later
 */
export async function run(): Promise<void> {
  // Make a round trip to the window first, so that it isn't part of any subject's time.
  await commands.getCommands();
  const figures: Record<string, Activation> = {};
  const subjects = readFileSync(process.env[activationVariables.subjects] ?? '', 'utf8');
  for (const id of JSON.parse(subjects) as readonly string[]) {
    const extension = extensions.getExtension(id);
    if (extension === undefined) throw new Error(`${id} is not installed.`);
    if (extension.isActive) throw new Error(`${id} is active before anything asked for it.`);
    const [started, used] = [performance.now(), process.cpuUsage()];
    await extension.activate();
    const milliseconds = performance.now() - started;
    const { user, system } = process.cpuUsage(used);
    figures[id] = { milliseconds, processorMilliseconds: (user + system) / 1000 };
  }
  writeFileSync(process.env[activationVariables.result] ?? '', JSON.stringify(figures));
  await waitForCodeCache(process.env[activationVariables.codeCache] ?? '');
}
