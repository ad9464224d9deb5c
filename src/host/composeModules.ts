import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemSleep } from '../base/clock';
import type { DisposableSet } from '../base/disposable';
import type { Logger, Sleep } from '../core/ports';
import { ModuleBuildFeature } from './features/modules/build/moduleBuild.feature';
import { ModuleManifestFeature } from './features/modules/manifest/moduleManifest.feature';
import type { BulkDocuments } from './platform/documents/bulkDocuments';
import type { BulkReports } from './platform/commands/bulkReports';
import type { RestartOffers } from './platform/deploy/restartOffers';
import type { ErrorPresenter } from './platform/commands/errorPresenter';
import type { FleetTools } from './platform/fleetTools';
import { toKeyValue } from './platform/storage';
import { CommandFeature } from './platform/commands/commandRegistry';
import { WebviewPanels } from './platform/webview/webviewPanels';
import { type DeployOptions, deployTools } from './platform/deploy/deployTools';
import type { GenerateTools } from './features/modules/generate/generateModule';
import { ActiveUploads, type ModuleUploadTools } from './features/modules/upload/uploadTools';
import { registryItemTarget } from '../core/model/resourceTarget';
import { requireConnection } from './platform/sessionProvider';
import type { RegistryTools } from './features/registry/downloadVersion';
import { webviews } from '../manifest/contributions';
import { isRegistryItemPageState } from '../shared/registryItem';
import type { ItemPanelOptions, ItemPanelStart } from './features/registry/itemPage/itemPanel';
import { describedPanel } from './features/registry/itemPage/panelDescription';

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

/** Deploys registry modules to machines, as edits to their configs that the user reviews. */
class ModuleDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.module.deploy', async (argument, version) => {
      const { deployToMachine } = await import('./features/modules/deploy/deployToMachine');
      await deployToMachine(tools, argument, version);
    });
  }
}

/** Registers modules, and updates their registry entries. Loaded on first use. */
class ModuleCommandsFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.module.create', async (manifest) => {
      const { createModule } = await import('./features/modules/commands/createModule');
      await createModule(tools, manifest);
    });
    this.command('fleetwright.module.update', async (manifest) => {
      const { updateModule } = await import('./features/modules/commands/updateModule');
      await updateModule(tools, manifest);
    });
  }
}

/** Generates modules from templates, and adds models to them. Loaded when a command runs. */
class ModuleGenerateFeature extends CommandFeature {
  constructor(tools: GenerateTools) {
    super(tools.commands);
    this.command('fleetwright.module.generate', async () => {
      const { generateModule } = await import('./features/modules/generate/generateModule');
      await generateModule(tools);
    });
    this.command('fleetwright.module.addModel', async (manifest) => {
      const { addModelToModule } = await import('./features/modules/generate/addModelToModule');
      await addModelToModule(tools.extensionUri, manifest);
    });
  }
}

/** Publishes builds of modules, and training scripts. Loaded on first use. */
class ModuleUploadFeature extends CommandFeature {
  constructor(options: Omit<ModuleUploadTools, 'activeUploads'>) {
    super(options.commands);
    const tools: ModuleUploadTools = { ...options, activeUploads: new ActiveUploads() };
    this.command('fleetwright.module.uploadBuild', async (argument) => {
      const { uploadBuild } = await import('./features/modules/upload/uploadCommands');
      await uploadBuild(tools, argument);
    });
    this.command('fleetwright.module.repeatUpload', async (argument) => {
      const { repeatUpload } = await import('./features/modules/upload/uploadCommands');
      await repeatUpload(tools, argument);
    });
    this.command('fleetwright.trainingScript.upload', async (argument) => {
      const { uploadScript } = await import('./features/modules/upload/uploadScript');
      await uploadScript(tools, argument);
    });
  }
}

interface RegistrySearchOptions extends Pick<FleetTools, 'commands' | 'sessions'> {
  readonly sleep: Sleep;
}

/** Search for registry items from all organizations. */
class RegistrySearchFeature extends CommandFeature {
  constructor(private readonly options: RegistrySearchOptions) {
    super(options.commands);
    this.command('fleetwright.registry.search', () => this.search());
  }

  private async search(): Promise<void> {
    const { commands, sessions, sleep } = this.options;
    const { id } = requireConnection(sessions);
    const { registry } = sessions.stores(id);
    const { RegistryPick } = await import('./features/registry/registryPick');
    const item = await new RegistryPick({ store: registry, sleep }).run();
    await commands.execute('fleetwright.registryItem.show', registryItemTarget(id, item));
  }
}

/** Actions on registry items and their versions, other than uploading them. */
class RegistryFeature extends CommandFeature {
  constructor(tools: RegistryTools) {
    super(tools.commands);
    this.command('fleetwright.registryItem.changeVisibility', async (target) => {
      const { changeVisibility } = await import('./features/registry/itemCommands');
      await changeVisibility(tools, target);
    });
    this.command('fleetwright.registryItem.changeDescription', async (target) => {
      const { changeDescription } = await import('./features/registry/itemCommands');
      await changeDescription(tools, target);
    });
    this.command('fleetwright.registryItem.changeUrl', async (target) => {
      const { changeUrl } = await import('./features/registry/itemCommands');
      await changeUrl(tools, target);
    });
    this.command('fleetwright.registryItem.create', async (target) => {
      const { createItem } = await import('./features/registry/itemCommands');
      await createItem(tools, target);
    });
    this.command('fleetwright.registryItem.delete', async (target) => {
      const { deleteItem } = await import('./features/registry/deleteItem');
      await deleteItem(tools, target);
    });
    this.command('fleetwright.registryVersion.delete', async (target, version) => {
      const { deleteVersion } = await import('./features/registry/deleteVersion');
      await deleteVersion(tools, target, version);
    });
    this.command('fleetwright.registryVersion.download', async (target, version) => {
      const { downloadVersion } = await import('./features/registry/downloadVersion');
      await downloadVersion(tools, target, version);
    });
  }
}

/** Pages of registry items, one page per item. */
class ItemPageFeature extends CommandFeature {
  constructor(options: ItemPanelOptions & Pick<vscode.ExtensionContext, 'extensionUri'>) {
    super(options.commands);
    const panels = this.register(
      new WebviewPanels({
        type: webviews.registryItem,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState: parseItemPageState,
        load: async () => {
          const { ItemPanel } = await import('./features/registry/itemPage/itemPanel');
          return (panel, start) => new ItemPanel(panel, start, options);
        },
      }),
    );
    this.command('fleetwright.registryItem.show', async (argument) => {
      const target = argument ?? (await options.pickTarget('registryItem'));
      await panels.show({ target, version: 'version' in target ? target.version : undefined });
    });
  }
}

function parseItemPageState(state: unknown): ItemPanelStart | undefined {
  const target = isRegistryItemPageState(state) ? describedPanel(state.panel) : undefined;
  return target && { target };
}
