import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../base/clock';
import type { DisposableSet } from '../base/disposable';
import type { Logger } from '../core/ports';
import { ModuleBuildFeature } from './features/modules/build/moduleBuild.feature';
import { ModuleManifestFeature } from './features/modules/manifest/moduleManifest.feature';
import {
  ModuleCommandsFeature,
  ModuleDeployFeature,
  ModuleGenerateFeature,
  ModuleUploadFeature,
} from './features/modules/modules.feature';
import {
  ItemPageFeature,
  RegistryFeature,
  RegistrySearchFeature,
} from './features/registry/registry.feature';
import type { BulkDocuments } from './platform/documents/bulkDocuments';
import type { BulkReports } from './platform/commands/bulkReports';
import type { RestartOffers } from './platform/deploy/restartOffers';
import type { ErrorPresenter } from './platform/commands/errorPresenter';
import type { FleetTools } from './platform/fleetTools';
import { toKeyValue } from './platform/storage';

interface ModuleDeps extends FleetTools {
  readonly owned: DisposableSet;
  readonly context: Pick<
    vscode.ExtensionContext,
    'extensionUri' | 'globalStorageUri' | 'workspaceState'
  >;
  readonly errors: ErrorPresenter;
  readonly restarts: RestartOffers;
  readonly documents: BulkDocuments;
  readonly reports: BulkReports;
  readonly log: Logger;
}

/**
 * Creates the features for creating and publishing modules: manifests, builds, uploads, and the
 * registry.
 */
export function composeModules({ owned, context, ...tools }: ModuleDeps): void {
  const storage = toKeyValue(context.workspaceState);
  const programs = join(context.extensionUri.fsPath, 'dist');
  const isTrusted = (): boolean => vscode.workspace.isTrusted;
  owned.add(
    new ModuleBuildFeature({
      ...tools,
      isTrusted,
      storage,
      program: join(programs, 'cli.js'),
      runProgram: join(programs, 'moduleRun.js'),
      attributesFolder: join(context.globalStorageUri.fsPath, 'localRuns'),
      presentError: (error) => tools.errors.present(error),
    }),
  );
  owned.add(new ModuleCommandsFeature(tools));
  owned.add(
    new ModuleManifestFeature({
      ...tools,
      extensionUri: context.extensionUri,
      sleep: systemSleep,
    }),
  );
  owned.add(
    new ModuleUploadFeature({
      ...tools,
      storage,
      presentError: (error) => tools.errors.present(error),
    }),
  );
  owned.add(new ModuleDeployFeature({ ...tools, storage }));
  owned.add(new ModuleGenerateFeature({ ...tools, extensionUri: context.extensionUri }));
  owned.add(
    new ItemPageFeature({
      ...tools,
      extensionUri: context.extensionUri,
      clock: systemClock,
      presentError: (error) => tools.errors.present(error),
    }),
  );
  owned.add(new RegistryFeature({ ...tools, sleep: systemSleep }));
  owned.add(new RegistrySearchFeature({ ...tools, sleep: systemSleep }));
}
