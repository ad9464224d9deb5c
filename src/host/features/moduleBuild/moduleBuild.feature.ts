import * as vscode from 'vscode';
import type { KeyValue } from '../../../core/ports';
import { tasks } from '../../../manifest/tasks';
import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { ChosenPlatforms } from './chosenPlatforms';
import type { ModuleTaskProvider } from './moduleTasks';

export interface ModuleBuildOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  /** The command line, absolute. */
  readonly program: string;
  /** Whether the person trusts the workspace. */
  readonly isTrusted: () => boolean;
  /** Of the workspace. */
  readonly storage: KeyValue;
}

/** Builds modules: a command, and tasks for tasks.json. What does it is loaded when it is asked for. */
export class ModuleBuildFeature extends CommandFeature {
  constructor(options: ModuleBuildOptions) {
    super(options.commands);
    const tools = { ...options, chosen: new ChosenPlatforms(options.storage) };
    this.command('fleetwright.module.build', async (manifest) => {
      const { buildModule } = await import('./buildModule');
      await buildModule(tools, manifest);
    });
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
}
