import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import * as vscode from 'vscode';
import type { MachineTarget } from '../../src/core/model/resourceTarget';
import {
  activateBuiltIn,
  countTabs,
  editConfig,
  measureOwnHeap,
  showFleet,
  waitUntil,
} from './hostEditors';
import { type SoakPlan, soakPlanVariable } from './soakPlan';
import type { SoakEntry } from './soakRecord';

const POLL_MS = 100;
const MEBIBYTE = 1024 * 1024;

/**
 * Uses the extension like a person until the plan ends: follows a log, edits and saves a config,
 * and opens and closes other panels. Called by the extension host.
 */
export async function run(): Promise<void> {
  const plan = JSON.parse(process.env[soakPlanVariable] ?? '') as SoakPlan;
  const { organization, machine, part } = plan;
  const { executeCommand } = vscode.commands;
  await activateBuiltIn();
  await showFleet();
  await executeCommand('fleetwright.part.showLogs', part);
  await executeCommand('fleetwright.query.openText', {
    organization,
    language: 'sql',
    text: 'select count(*) from readings',
  });
  await executeCommand('fleetwright.part.showLogs', part);
  const steps: readonly [string, () => Promise<unknown>][] = [
    ['editor: save config', () => saveConfig(machine)],
    ['editor: browse data', () => openAndClose('fleetwright.data.browse', organization)],
    ['editor: show history', () => openAndClose('fleetwright.part.showHistory', part)],
  ];
  let memoryAt = Date.now();
  for (let step = 0; !existsSync(plan.stopFile); step++) {
    const [name, work] = steps[step % steps.length] ?? ['', () => Promise.resolve()];
    const next = Date.now() + plan.stepEveryMs;
    await executeCommand('fleetwright.fleet.refresh');
    const started = performance.now();
    try {
      await work();
      add(plan, { at: Date.now(), name, milliseconds: performance.now() - started });
    } catch (error) {
      add(plan, { at: Date.now(), name, error: String(error) });
    }
    if (Date.now() >= memoryAt) {
      memoryAt += plan.memoryEveryMs;
      await measureMemory(plan);
    }
    while (Date.now() < next && !existsSync(plan.stopFile)) await sleep(POLL_MS);
  }
  if (plan.snapshot !== undefined) writeHeapSnapshot(plan.snapshot);
}

async function saveConfig(machine: MachineTarget): Promise<void> {
  await editConfig(machine);
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
}

async function openAndClose(command: string, target: unknown): Promise<void> {
  const before = countTabs();
  await vscode.commands.executeCommand(command, target);
  await waitUntil('the panel', () => countTabs() > before);
  await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  await waitUntil('the panel to close', () => countTabs() === before);
}

async function measureMemory(plan: SoakPlan): Promise<void> {
  const heap = await measureOwnHeap();
  const at = Date.now();
  add(plan, { at, name: 'extension host heap', mebibytes: heap / MEBIBYTE });
  add(plan, { at, name: 'extension host RSS', mebibytes: process.memoryUsage.rss() / MEBIBYTE });
}

function add({ record }: SoakPlan, entry: SoakEntry): void {
  appendFileSync(record, `${JSON.stringify(entry)}\n`);
}
