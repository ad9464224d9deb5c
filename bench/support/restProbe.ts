import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { activateBuiltIn, countTabs, measureOwnHeap, showFleet, waitUntil } from './hostEditors';
import { readWakeups } from './processUsage';
import { type RestPlan, restPlanVariable, type RestResult } from './restPlan';

/** Shows the Fleet view and a log, and then leaves the window alone. Called by the extension host. */
export async function run(): Promise<void> {
  const plan = JSON.parse(process.env[restPlanVariable] ?? '') as RestPlan;
  await activateBuiltIn();
  if (plan.part) {
    await showFleet();
    await vscode.commands.executeCommand('fleetwright.part.showLogs', plan.part);
    await waitUntil('the log', () => countTabs() > 0);
  }
  await sleep(plan.settleMs);
  const heapBefore = await measureOwnHeap();
  const from = Date.now();
  const start = process.cpuUsage();
  const wakeupsBefore = readWakeups(process.pid);
  const { majorPageFault: faultsBefore } = process.resourceUsage();
  await sleep(plan.durationMs);
  const { user, system } = process.cpuUsage(start);
  const wakeupsAfter = readWakeups(process.pid);
  const { majorPageFault: faultsAfter } = process.resourceUsage();
  const to = Date.now();
  const result: RestResult = {
    from,
    to,
    processorMilliseconds: (user + system) / 1_000,
    userMilliseconds: user / 1_000,
    wakeups: wakeupsAfter - wakeupsBefore,
    majorFaults: faultsAfter - faultsBefore,
    heapBefore,
    heapAfter: await measureOwnHeap(),
    rss: process.memoryUsage.rss(),
  };
  writeFileSync(plan.result, JSON.stringify(result));
}
