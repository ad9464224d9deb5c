import * as vscode from 'vscode';
import { platformsOf } from '../../../core/modules/build/buildPlan';
import { findManifests } from '../../platform/moduleManifests';
import {
  type BuildProgram,
  buildTaskOf,
  type ModuleTaskDefinition,
  newBuildTask,
} from './buildTask';

/** Offers the builds of the workspace's modules as tasks, and knows those of tasks.json. */
export class ModuleTaskProvider implements vscode.TaskProvider {
  constructor(private readonly program: BuildProgram) {}

  /** None in a workspace without trust: they would run what its files say. */
  async provideTasks(): Promise<vscode.Task[]> {
    if (!vscode.workspace.isTrusted) return [];
    const files = (await findManifests()).filter(
      ({ uri, manifest }) => uri.scheme === 'file' && manifest.build.build !== undefined,
    );
    return files.flatMap(({ uri, manifest }) => {
      const platforms = platformsOf(manifest.build);
      const each =
        platforms.length > 1 ? [...platforms.map((one) => [one]), platforms] : [platforms];
      return each.map((some) => newBuildTask(this.program, uri, some));
    });
  }

  resolveTask({ definition, scope }: vscode.Task): vscode.Task | undefined {
    if (!vscode.workspace.isTrusted || scope === undefined) return undefined;
    const { task } = definition as ModuleTaskDefinition;
    return task === 'build' ? buildTaskOf(this.program, definition, scope) : undefined;
  }
}
