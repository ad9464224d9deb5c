import * as vscode from 'vscode';
import { schemes } from '../../../manifest/schemes';
import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';
import { addFragmentToPart } from './commands/addFragmentToPart';
import { changeVisibility } from './commands/changeVisibility';
import { createFragmentFromPart, createFragmentFromSelection } from './commands/createFragmentFrom';
import { createFragment, deleteFragment, renameFragment } from './commands/fragmentCommands';
import { compareResolvedConfig, openResolvedConfig } from './commands/resolvedCommands';
import { showMachines } from './commands/showMachines';
import { FragmentUsageItem } from './fragmentUsageItem';
import { ResolvedFileSystem } from './resolvedFileSystem';
import { ResolvedHints } from './resolvedHints';
import { ResolvedProblems } from './resolvedProblems';

/** Fragments at work: what they make of a config, who uses them, and making them of configs. */
export class FragmentsFeature extends CommandFeature {
  constructor(private readonly tools: FleetTools) {
    super(tools.commands);
    this.registerPreview();
    this.register(new FragmentUsageItem(tools));
    this.command('fleetwright.part.openResolvedConfig', (of) => openResolvedConfig(tools, of));
    this.command('fleetwright.part.compareResolvedConfig', (of) =>
      compareResolvedConfig(tools, of),
    );
    this.command('fleetwright.part.addFragment', (of) => addFragmentToPart(tools, of));
    this.command('fleetwright.part.createFragment', (of) => createFragmentFromPart(tools, of));
    this.command('fleetwright.document.createFragment', (of) =>
      createFragmentFromSelection(tools, of),
    );
    this.command('fleetwright.fragment.create', (target) => createFragment(tools, target));
    this.command('fleetwright.fragment.rename', (target) => renameFragment(tools, target));
    this.command('fleetwright.fragment.delete', (target) => deleteFragment(tools, target));
    this.command('fleetwright.fragment.changeVisibility', (of) => changeVisibility(tools, of));
    this.command('fleetwright.fragment.showMachines', (of) => showMachines(tools, of));
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
