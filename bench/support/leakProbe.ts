import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import * as vscode from 'vscode';
import {
  activateBuiltIn,
  countTabs,
  editConfig,
  measureOwnHeap,
  showFleet,
  waitUntil,
} from './hostEditors';
import { type LeakPlan, leakPlanVariable, type LeakResult } from './leakPlan';

/** Time in which a page loads and requests its data. */
const PAGE_LOAD_MS = 400;
/** Number of rounds between two measurements of a kind. */
const MEASURE_EVERY = 5;

type Open = () => Promise<unknown>;

/**
 * Repeatedly opens and closes everything that the extension shows in an editor, and measures the
 * heap. Called by the extension host.
 */
export async function run(): Promise<void> {
  const plan = JSON.parse(process.env[leakPlanVariable] ?? '') as LeakPlan;
  await activateBuiltIn();
  await showFleet();
  const kinds = Object.entries(createKinds(plan)).filter(
    ([name]) => plan.kinds.length === 0 || plan.kinds.includes(name),
  );
  for (const [name, open] of kinds) await repeat(name, open, plan.warmUpRounds);
  const before = await measureOwnHeap();
  writeHeapSnapshot(plan.snapshots.before);
  const heaps: Record<string, number[]> = {};
  for (const [name, open] of kinds) {
    const series = [await measureOwnHeap()];
    for (let done = 0; done < plan.rounds; done += MEASURE_EVERY) {
      await repeat(name, open, Math.min(MEASURE_EVERY, plan.rounds - done));
      series.push(await measureOwnHeap());
    }
    heaps[name] = series;
  }
  const after = await measureOwnHeap();
  writeHeapSnapshot(plan.snapshots.after);
  const result: LeakResult = { before, after, kinds: heaps };
  writeFileSync(plan.result, JSON.stringify(result));
}

/** Returns a function that opens an editor, by the kind of editor. */
function createKinds(plan: LeakPlan): Readonly<Record<string, Open>> {
  const { organization, machine, part, registryItem } = plan;
  const { executeCommand } = vscode.commands;
  const openFile = async (path: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  return {
    data: async () => executeCommand('fleetwright.data.browse', organization),
    history: async () => executeCommand('fleetwright.part.showHistory', part),
    logs: async () => executeCommand('fleetwright.part.showLogs', part),
    query: async () =>
      executeCommand('fleetwright.query.openText', {
        organization,
        language: 'sql',
        text: 'select 1',
      }),
    registryItem: async () => executeCommand('fleetwright.registryItem.show', registryItem),
    training: async () => executeCommand('fleetwright.training.show', organization),
    fileResult: async () => {
      const { uri } = await openFile(plan.queryFile);
      void executeCommand('fleetwright.queryFile.run', uri);
      await waitUntil('the result', async () => {
        // The first run prompts for the organization.
        await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return countTabs() === 2;
      });
    },
    config: () => editConfig(machine),
    diff: async () => executeCommand('fleetwright.part.compareResolvedConfig', part),
    notebook: async () => {
      const uri = vscode.Uri.file(plan.notebook);
      const notebook = await vscode.workspace.openNotebookDocument(uri);
      await vscode.window.showNotebookDocument(notebook);
      await executeCommand('notebook.execute');
      const cell = notebook.getCells().at(-1);
      await waitUntil('the output', () => (cell?.outputs.length ?? 0) > 0);
    },
  };
}

/** Opens and closes editors. Closes every other one before its page has loaded. */
async function repeat(name: string, open: Open, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await open();
    await waitUntil(`${name} to open`, () => countTabs() > 0);
    if (round % 2 === 0) await sleep(PAGE_LOAD_MS);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await waitUntil(`${name} to close`, () => countTabs() === 0);
  }
  await sleep(PAGE_LOAD_MS);
}
