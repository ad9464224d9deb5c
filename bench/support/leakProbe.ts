import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';
import * as vscode from 'vscode';
import { measureOwnHeap } from './hostHeap';
import { type LeakPlan, leakPlanVariable, type LeakResult } from './leakPlan';

const POLL_MS = 20;
const LIMIT_MS = 60_000;
/** Time in which a page loads and requests its data. */
const PAGE_MS = 400;
/** Number of rounds between two measurements of a kind. */
const MEASURE_EVERY = 5;

type Open = () => Promise<unknown>;

/**
 * Opens and closes everything that the extension shows in an editor, again and again, and measures
 * the heap. Called by the extension host.
 */
export async function run(): Promise<void> {
  const plan = JSON.parse(process.env[leakPlanVariable] ?? '') as LeakPlan;
  await vscode.extensions.getExtension('fleetwright.fleetwright')?.activate();
  await until('sign-in', async () => {
    return (await vscode.authentication.getAccounts('fleetwright')).length > 0;
  });
  const { executeCommand } = vscode.commands;
  await executeCommand('fleetwright.fleet.focus');
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

/** Returns how to open each kind of editor. */
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
      await until('the result', async () => {
        // The first run asks for the organization.
        await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return countTabs() === 2;
      });
    },
    config: async () => {
      await executeCommand('fleetwright.machine.openConfig', machine);
      const editor = vscode.window.activeTextEditor;
      if (!editor) throw new Error('The config is not open.');
      const config = JSON.parse(editor.document.getText()) as Record<string, unknown>;
      const text = JSON.stringify({ ...config, edited: Date.now() }, undefined, 2);
      const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
      await editor.edit((edit) => edit.replace(whole, text));
      if (!(await editor.document.save())) throw new Error('The config was not saved.');
    },
    diff: async () => executeCommand('fleetwright.part.compareResolvedConfig', part),
    notebook: async () => {
      const uri = vscode.Uri.file(plan.notebook);
      const notebook = await vscode.workspace.openNotebookDocument(uri);
      await vscode.window.showNotebookDocument(notebook);
      await executeCommand('notebook.execute');
      const cell = notebook.getCells().at(-1);
      await until('the output', () => (cell?.outputs.length ?? 0) > 0);
    },
  };
}

/** Opens and closes editors. Closes every other one before its page has loaded. */
async function repeat(name: string, open: Open, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await open();
    await until(`${name} to open`, () => countTabs() > 0);
    if (round % 2 === 0) await sleep(PAGE_MS);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(`${name} to close`, () => countTabs() === 0);
  }
  await sleep(PAGE_MS);
}

function countTabs(): number {
  return vscode.window.tabGroups.all.reduce((sum, { tabs }) => sum + tabs.length, 0);
}

async function until(condition: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting for ${condition}.`);
    await sleep(POLL_MS);
  }
}
