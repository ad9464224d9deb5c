import * as vscode from 'vscode';
import type { KeyValue } from '../../../core/ports';
import { tasks } from '../../../manifest/tasks';
import { CommandFeature } from '../../platform/commandFeature';
import type { BulkDocuments } from '../../platform/bulkDocuments';
import type { FleetTools } from '../../platform/fleetTools';
import { ChosenPlatforms } from './chosenPlatforms';
import type { LocalRuns } from './localRun/localRuns';
import type { ModuleTaskProvider } from './moduleTasks';

export interface ModuleBuildOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  /** The command line, absolute. */
  readonly program: string;
  /** The program that runs a module, absolute. */
  readonly runProgram: string;
  /** The folder for the attributes of local runs, absolute. */
  readonly attributesFolder: string;
  /** Whether the person trusts the workspace. */
  readonly isTrusted: () => boolean;
  /** Where answers of local runs are shown. */
  readonly documents: BulkDocuments;
  readonly presentError: (error: unknown) => void;
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** Builds modules and runs them on this computer: commands, and tasks for tasks.json. What does it is loaded when it is asked for. */
export class ModuleBuildFeature extends CommandFeature {
  constructor(private readonly options: ModuleBuildOptions) {
    super(options.commands);
    const announced = new Set<string>();
    const tools = { ...options, announced, chosen: new ChosenPlatforms(options.storage) };
    this.command('fleetwright.module.build', async (manifest) => {
      const { buildModule } = await import('./buildModule');
      await buildModule(tools, manifest);
    });
    const createChannel = (): vscode.OutputChannel =>
      vscode.window.createOutputChannel(vscode.l10n.t('Fleetwright Local Run'));
    let runs: Promise<LocalRuns> | undefined;
    this.command('fleetwright.module.runLocally', async (manifest) => {
      runs ??= import('./localRun/localRuns').then(({ LocalRuns }) =>
        this.register(new LocalRuns({ ...tools, createChannel })),
      );
      await (await runs).run(manifest);
    });
    this.register(
      vscode.tasks.onDidEndTaskProcess(({ execution: { task }, exitCode }) => {
        const { type, task: kind } = task.definition;
        if (type !== tasks.type || kind !== 'build' || announced.has(task.name)) return;
        if (exitCode !== undefined) void this.announce(task, exitCode);
      }),
    );
    const provider = async (): Promise<ModuleTaskProvider> => {
      const { ModuleTaskProvider } = await import('./moduleTasks');
      return new ModuleTaskProvider(options);
    };
    this.register(
      vscode.tasks.registerTaskProvider(tasks.type, {
        provideTasks: async () => (await provider()).provideTasks(),
        resolveTask: async (task) => (await provider()).resolveTask(task),
      }),
    );
  }

  /** Builds run by the command are announced by it. */
  private async announce(task: vscode.Task, exitCode: number): Promise<void> {
    const { commands, presentError } = this.options;
    const { announceTask } = await import('./announceBuild');
    await announceTask(commands, task, exitCode).catch(presentError);
  }
}
