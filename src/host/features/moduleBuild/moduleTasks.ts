import type * as vscode from 'vscode';
import { getTargetPlatforms } from '../../../core/modules/build/buildPlan';
import { findManifests, type ManifestFile } from '../../platform/moduleManifests';
import type { SessionProvider } from '../../platform/sessionProvider';
import {
  createBuildTask,
  createTaskDefinition,
  type ModuleTaskDefinition,
  getTaskScope,
} from './buildTask';
import type { BuildTools } from './buildModule';
import { createUploadTask } from './uploadTask';

/**
 * Provides tasks that build and upload the workspace's modules, and resolves the tasks in
 * tasks.json.
 */
export class ModuleTaskProvider implements vscode.TaskProvider {
  constructor(
    private readonly tools: Pick<BuildTools, 'program' | 'isTrusted'> & {
      readonly sessions: SessionProvider;
    },
  ) {}

  /**
   * Returns no tasks in an untrusted workspace, because tasks would run commands from its files.
   */
  async provideTasks(): Promise<vscode.Task[]> {
    if (!this.tools.isTrusted()) return [];
    const files = (await findManifests()).filter(({ uri }) => uri.scheme === 'file');
    return files.flatMap((file) => [...this.builds(file), this.upload(file)]);
  }

  resolveTask({ definition, scope }: vscode.Task): vscode.Task | undefined {
    if (!this.tools.isTrusted() || scope === undefined) return undefined;
    const { task } = definition as ModuleTaskDefinition;
    if (task === 'build') return createBuildTask(this.tools.program, definition, scope);
    return task === 'upload' ? createUploadTask(this.tools.sessions, definition, scope) : undefined;
  }

  /** Returns one build task for each platform, and one for all platforms. */
  private builds({ uri, manifest }: ManifestFile): readonly vscode.Task[] {
    if (!manifest.build.build?.trim()) return [];
    const platforms = getTargetPlatforms(manifest.build);
    const each = platforms.length > 1 ? [...platforms.map((one) => [one]), platforms] : [platforms];
    return each.map((some) =>
      createBuildTask(
        this.tools.program,
        createTaskDefinition('build', uri, some),
        getTaskScope(uri),
      ),
    );
  }

  private upload({ uri }: ManifestFile): vscode.Task {
    return createUploadTask(
      this.tools.sessions,
      createTaskDefinition('upload', uri, []),
      getTaskScope(uri),
    );
  }
}
