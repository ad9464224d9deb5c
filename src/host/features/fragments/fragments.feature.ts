import * as vscode from 'vscode';
import { schemes } from '../../../manifest/contributions';
import { setContextKey } from '../../platform/commands/contextKeys';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FleetTools } from '../../platform/fleetTools';
import type { Clock } from '../../../core/ports';
import type { FragmentStore } from '../../../core/stores/fragmentStore';
import { ResolvedFileSystem } from './resolvedFileSystem';
import type { RolloutView } from './rolloutView';
import { originAt } from '../../../core/documents/resolvedText';
import { formatFragmentChain } from '../../../core/configChecks/formatResolveProblem';
import { parseDocumentAddress } from '../../platform/documents/documentUris';

// Loaded on first use of one of its commands.
const fragmentUseCommands = () => import('./fragmentUseCommands');
const createFragmentFrom = () => import('./createFragmentFrom');
const fragmentCommands = () => import('./fragmentCommands');

/**
 * Feature for fragments: resolved configs, the machines that use fragments, and the creation of
 * fragments from configs.
 */
export class FragmentsFeature extends CommandFeature {
  constructor(
    private readonly tools: FleetTools,
    clock: Clock,
  ) {
    super(tools.commands);
    this.registerPreview();
    this.register(new Rollouts(tools, clock));
    this.command('fleetwright.part.openResolvedConfig', async (of) =>
      (await fragmentCommands()).openResolvedConfig(tools, of),
    );
    this.command('fleetwright.part.compareResolvedConfig', async (of) =>
      (await fragmentCommands()).compareResolvedConfig(tools, of),
    );
    this.command('fleetwright.part.addFragment', async (of) =>
      (await fragmentUseCommands()).addFragmentToPart(tools, of),
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
      (await fragmentCommands()).changeVisibility(tools, of),
    );
    this.command('fleetwright.fragment.showMachines', async (of) =>
      (await fragmentUseCommands()).showMachines(tools, of),
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
    const hints = new ResolvedHints(files);
    this.register(vscode.languages.registerCodeLensProvider(selector, hints));
    this.register(vscode.languages.registerHoverProvider(selector, hints));
  }
}

/**
 * Code lenses above a resolved config, with a description and its problems. Hovers show a value's
 * source fragment.
 */
export class ResolvedHints implements vscode.CodeLensProvider, vscode.HoverProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(private readonly files: ResolvedFileSystem) {
    this.onDidChangeCodeLenses = (listener) =>
      files.onDidResolve(() => {
        listener();
      });
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const resolved = this.files.peek(uri);
    if (!resolved) return [];
    const { problems, origins } = resolved;
    const top = new vscode.Range(0, 0, 0, 0);
    const compare = new vscode.CodeLens(top, {
      title:
        origins.length === 0
          ? vscode.l10n.t('Read-only: no fragments are applied')
          : vscode.l10n.t('Read-only: fragments are applied. Compare with the config'),
      command: 'fleetwright.part.compareResolvedConfig',
      arguments: [uri],
    });
    if (problems.length === 0) return [compare];
    const warning = new vscode.CodeLens(top, {
      title: `$(warning) ${problemCount(problems.length)}`,
      command: 'workbench.actions.view.problems',
    });
    return [warning, compare];
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const resolved = this.files.peek(document.uri);
    const offset = document.offsetAt(position);
    const origin = resolved && originAt(document.getText(), resolved.origins, offset);
    if (!origin) return undefined;
    const from = formatFragmentChain(origin.fragments, resolved.getName);
    // Names are plain text, but Markdown would interpret parts of them as links or formatting.
    const text = new vscode.MarkdownString().appendText(
      vscode.l10n.t('From the fragment {0}', from),
    );
    return new vscode.Hover(text);
  }
}

function problemCount(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 problem with the fragments')
    : vscode.l10n.t('{0} problems with the fragments', count);
}

/**
 * Rollouts of fragments. Loads the view with the first rollout, and the items in the status bar with
 * the first config of a fragment.
 */
class Rollouts extends CommandFeature {
  private view: Promise<RolloutView> | undefined;
  private hasStatus = false;
  private readonly followed = new Set<FragmentStore>();

  constructor(
    private readonly tools: FleetTools,
    private readonly clock: Clock,
  ) {
    super(tools.commands);
    this.command('fleetwright.fragment.showRollout', async (of) => {
      const { resolveFragmentTarget } = await fragmentUseCommands();
      const target = await resolveFragmentTarget(tools, of);
      await (await this.openView()).show(target);
    });
    this.command('fleetwright.rollout.refresh', async () => (await this.view)?.refresh());
    this.command('fleetwright.rollout.close', async () => (await this.view)?.close());
    this.command('fleetwright.rollout.loadMore', async (node) => (await this.view)?.loadMore(node));
    this.register(vscode.window.onDidChangeActiveTextEditor(() => this.startStatus()));
    this.register(tools.sessions.onDidChangeActive(() => this.updateSupport()));
    this.startStatus();
    this.updateSupport();
  }

  private openView(): Promise<RolloutView> {
    this.view ??= import('./rolloutView').then(({ RolloutView: View }) =>
      this.register(new View(this.tools.sessions, this.clock)),
    );
    return this.view;
  }

  private startStatus(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const type = uri && parseDocumentAddress(uri)?.subject.type;
    if (this.hasStatus || type !== 'fragmentConfig') return;
    this.hasStatus = true;
    void import('./fragmentStatus').then(({ FragmentUsageItem, RolloutStatus }) => {
      if (this.isDisposed) return;
      this.register(new FragmentUsageItem(this.tools.sessions));
      this.register(new RolloutStatus(this.tools.sessions));
    });
  }

  private updateSupport(): void {
    const { active } = this.tools.sessions;
    const store = active && this.tools.sessions.lastingStores(active.id).fragments;
    if (store && !this.followed.has(store)) {
      this.followed.add(store);
      this.register(store.onDidChangeRolloutSupport(() => this.updateSupport()));
    }
    setContextKey('fleetwright.reportsRollouts', store?.reportsRollouts ?? false);
  }
}
