import * as vscode from 'vscode';
import { schemes } from '../../../manifest/schemes';
import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { FragmentUsageItem } from './fragmentUsageItem';
import { ResolvedFileSystem } from './resolvedFileSystem';
import { ResolvedHints } from './resolvedHints';
import { ResolvedProblems } from './resolvedProblems';

// Loaded on first use of one of its commands.
const resolvedCommands = () => import('./commands/resolvedCommands');
const addFragmentToPart = () => import('./commands/addFragmentToPart');
const createFragmentFrom = () => import('./commands/createFragmentFrom');
const fragmentCommands = () => import('./commands/fragmentCommands');
const changeVisibility = () => import('./commands/changeVisibility');
const showMachines = () => import('./commands/showMachines');

/**
 * Feature for fragments: resolved configs, the machines that use fragments, and the creation of
 * fragments from configs.
 */
export class FragmentsFeature extends CommandFeature {
  constructor(private readonly tools: FleetTools) {
    super(tools.commands);
    this.registerPreview();
    this.register(new FragmentUsageItem(tools));
    this.command('fleetwright.part.openResolvedConfig', async (of) =>
      (await resolvedCommands()).openResolvedConfig(tools, of),
    );
    this.command('fleetwright.part.compareResolvedConfig', async (of) =>
      (await resolvedCommands()).compareResolvedConfig(tools, of),
    );
    this.command('fleetwright.part.addFragment', async (of) =>
      (await addFragmentToPart()).addFragmentToPart(tools, of),
    );
    this.command('fleetwright.part.createFragment', async (of) =>
      (await createFragmentFrom()).createFragmentFromPart(tools, of),
    );
    this.command('fleetwright.document.createFragment', async (of) =>
      (await createFragmentFrom()).createFragmentFromSelection(tools, of),
    );
    this.command('fleetwright.fragment.create', async (target) =>
      (await fragmentCommands()).createFragment(tools, target),
    );
    this.command('fleetwright.fragment.rename', async (target) =>
      (await fragmentCommands()).renameFragment(tools, target),
    );
    this.command('fleetwright.fragment.delete', async (target) =>
      (await fragmentCommands()).deleteFragment(tools, target),
    );
    this.command('fleetwright.fragment.changeVisibility', async (of) =>
      (await changeVisibility()).changeVisibility(tools, of),
    );
    this.command('fleetwright.fragment.showMachines', async (of) =>
      (await showMachines()).showMachines(tools, of),
    );
  }

  private registerPreview(): void {
    const files = this.register(new ResolvedFileSystem(this.tools.sessions));
    const selector = { scheme: schemes.resolved };
    this.register(
      vscode.workspace.registerFileSystemProvider(schemes.resolved, files, {
        isCaseSensitive: true,
        isReadonly: true,
      }),
    );
    this.register(new ResolvedProblems(files, this.tools));
    const hints = new ResolvedHints(files);
    this.register(vscode.languages.registerCodeLensProvider(selector, hints));
    this.register(vscode.languages.registerHoverProvider(selector, hints));
  }
}
