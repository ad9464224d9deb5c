import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { MachineTarget } from '../../src/core/model/resourceTarget';

const COLLECTIONS = 4;
const PAUSE_MS = 50;
const POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/**
 * Collects garbage, including objects whose finalizers run later, and returns the used heap of this
 * process in bytes.
 */
export async function measureOwnHeap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let collection = 0; collection < COLLECTIONS; collection++) {
    collect();
    await sleep(PAUSE_MS);
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Activates the extension of VS Code that would otherwise be activated during a measurement, because
 * its code adds 6 MB to the heap.
 */
export async function activateBuiltIn(): Promise<void> {
  await vscode.extensions.getExtension('vscode.typescript-language-features')?.activate();
}

/** Activates the extension, waits until it has signed in, and shows the Fleet view. */
export async function showFleet(): Promise<void> {
  await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
  await waitUntil('sign-in', async () => {
    return (await vscode.authentication.getAccounts('fleetwright')).length > 0;
  });
  await vscode.commands.executeCommand('fleetwright.fleet.focus');
}

/** Opens a machine's config, changes it, and saves it. */
export async function editConfig(machine: MachineTarget): Promise<void> {
  await vscode.commands.executeCommand('fleetwright.machine.openConfig', machine);
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error('The config is not open.');
  const { document } = editor;
  const config = JSON.parse(document.getText()) as Record<string, unknown>;
  const text = JSON.stringify({ ...config, edited: Date.now() }, undefined, 2);
  const range = new vscode.Range(0, 0, document.lineCount, 0);
  await editor.edit((edit) => edit.replace(range, text));
  if (!(await document.save())) throw new Error('The config was not saved.');
}

/** Returns the number of open tabs in all groups. */
export function countTabs(): number {
  return vscode.window.tabGroups.all.reduce((sum, { tabs }) => sum + tabs.length, 0);
}

/**
 * Polls until a condition is true.
 * @param event name of the condition, for the error
 * @throws Error after a minute
 */
export async function waitUntil(
  event: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${event}.`);
    await sleep(POLL_MS);
  }
}
