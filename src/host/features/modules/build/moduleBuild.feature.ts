import * as vscode from 'vscode';
import type { KeyValue } from '../../../../core/ports';
import { tasks } from '../../../../manifest/contributions';
import { CommandFeature } from '../../../platform/commands/commandRegistry';
import type { BulkDocuments } from '../../../platform/documents/bulkDocuments';
import type { FleetTools } from '../../../platform/fleetTools';
import { ChosenPlatforms } from './chosenPlatforms';
import type { LocalRuns } from './localRuns';
import type { ModuleTaskProvider } from './moduleTasks';

export interface ModuleBuildOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  /** Absolute path of the command-line program. */
  readonly program: string;
  /** Absolute path of the program that runs a module. */
  readonly runProgram: string;
  /** Absolute path of the folder for local runs' attributes. */
  readonly attributesFolder: string;
  /** Returns true if the workspace is trusted. */
  readonly isTrusted: () => boolean;
  /** Documents that show responses of local runs. */
  readonly documents: BulkDocuments;
  readonly presentError: (error: unknown) => void;
  /** Storage of the workspace. */
  readonly storage: KeyValue;
}

/**
 * Builds modules and runs them on this computer, both with commands and with tasks in tasks.json.
 * Loaded on first use.
 */
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
      runs ??= import('./localRuns').then(({ LocalRuns }) =>
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

  /**
   * Reports the result of a build task, unless the build was started by a command, which reports
   * the result itself.
   */
  private async announce(task: vscode.Task, exitCode: number): Promise<void> {
    const { commands, presentError } = this.options;
    const { announceTask } = await import('./buildModule');
    await announceTask(commands, task, exitCode).catch(presentError);
  }
}
