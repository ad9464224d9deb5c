import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import type { OrganizationId } from '../../../core/model/ids';
import type { BrowsableTarget } from '../../../manifest/commandArguments';
import { webviews } from '../../../manifest/contributions';
import { isDataPanelState } from '../../../shared/data/dataPanel';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import { requireConnection } from '../../platform/sessionProvider';
import { requireRight } from '../../platform/permissions/requireRight';
import { WebviewPanels } from '../../platform/webview/webviewPanels';
import {
  type DataView,
  describedPanel,
  filterFor,
  getOwner,
  linkedView,
  type PanelStart,
  viewThrough,
} from './panelDescription';
import type { DataPanel, DataPanelOptions } from './dataPanel';
import { pickSavedFilter } from './filter/savedFilterPick';
import { ContentFileSystem } from './items/contentFileSystem';
import { StoredReviews } from './trials/storedReviews';
import { SuspendedReviews } from './trials/suspendedReviews';
import type { FleetTools } from '../../platform/fleetTools';
import { pickOne } from '../../platform/prompts/prompts';

/** Feature for captured data: panels for viewing, tagging, annotating, and grouping it. */
export class DataFeature extends CommandFeature {
  private readonly panels: WebviewPanels<PanelStart, DataPanel>;
  private readonly suspended: SuspendedReviews;
  private readonly storedReviews: StoredReviews;
  private restoring: ReturnType<StoredReviews['list']>;

  constructor(private readonly options: Omit<DataPanelOptions, 'suspended'>) {
    super(options.commands);
    this.storedReviews = new StoredReviews(options.storage, options.log);
    this.restoring = this.storedReviews.list();
    this.register(new ContentFileSystem(options.sessions));
    this.command('fleetwright.data.browse', (target) => this.browse(target));
    this.command('fleetwright.data.openSavedFilter', () => this.openSavedFilter());
    this.panels = this.register(
      new WebviewPanels({
        type: webviews.data,
        extensionUri: options.extensionUri,
        sessions: options.sessions,
        parseState,
        load: async () => {
          const { DataPanel } = await import('./dataPanel');
          const { suspended } = this;
          return (panel, start) => new DataPanel(panel, start, { ...options, suspended });
        },
      }),
    );
    this.register(
      vscode.window.registerUriHandler({
        handleUri: ({ path, query }) => this.openLink(path, query).catch(options.presentError),
      }),
    );
    // Disposed of before the panels so that a closing window doesn't offer reviews.
    this.suspended = this.register(
      new SuspendedReviews(
        (run, start) => this.resume(run, start),
        options.presentError,
        this.storedReviews,
      ),
    );
    this.register(options.sessions.onDidChangeConnections(() => this.restoreReviews()));
    this.restoreReviews();
  }

  /**
   * Offers the reviews that were open when the window closed, as soon as their connections are
   * signed in.
   */
  private restoreReviews(): void {
    const { sessions } = this.options;
    const isThere = ({ panel }: (typeof this.restoring)[number]): boolean =>
      sessions.connection(panel.target.connectionId) !== undefined;
    const found = this.restoring.filter(isThere);
    if (found.length === 0) return;
    this.restoring = this.restoring.filter((one) => !found.includes(one));
    void this.offerReviews(found).catch(this.options.presentError);
  }

  private async offerReviews(found: ReturnType<StoredReviews['list']>): Promise<void> {
    const { sessions, reports } = this.options;
    const { ProposalReview } = await import('./trials/proposalReview');
    const { pruneReview } = await import('./trials/pruneReview');
    for (const { state: stored, panel } of found) {
      const stores = sessions.stores(panel.target.connectionId);
      // A review must not be lost because its service can't be reached.
      const state = await pruneReview(stores, stored, panel.target).catch(() => stored);
      if (!state) {
        this.storedReviews.remove(stored.proposals.run);
        continue;
      }
      const session = {
        get stores() {
          return sessions.stores(panel.target.connectionId);
        },
      };
      const review = ProposalReview.restore(state, { session, reports });
      if (review.unsaved > 0) this.suspended.add(review, panel);
      else this.storedReviews.remove(review.run);
    }
  }

  private async browse(requestedTarget: BrowsableTarget | undefined): Promise<void> {
    const target = requestedTarget ?? (await pickBrowseTarget(this.options));
    const owner = await this.readableOwner(target);
    await this.panels.reveal({ target, owner, filter: filterFor(target, owner), tab: 'images' });
  }

  private async openSavedFilter(): Promise<void> {
    const { savedFilters, sessions } = this.options;
    await this.open(await pickSavedFilter(savedFilters, requireConnection(sessions).id));
  }

  private async openLink(path: string, query: string): Promise<void> {
    const linked = linkedView(path, query);
    if (!linked) {
      throw new FleetError('invalid', vscode.l10n.t('This link to captured data is not valid.'));
    }
    const { active, connections } = this.options.sessions;
    const view = viewThrough(linked, [active, ...connections]);
    if (!view) {
      throw new FleetError(
        'unauthenticated',
        vscode.l10n.t(
          'This link refers to data at {0}. Sign in there, then open it again.',
          linked.service,
        ),
        { action: 'signIn' },
      );
    }
    await this.open(view);
  }

  /** Opens a view in a new panel, or in the existing panel for the same target. */
  private async open({ target, filter, tab }: DataView): Promise<void> {
    const owner = await this.readableOwner(target);
    await this.panels.show({ target, owner, filter, tab });
  }

  /**
   * Resumes a suspended review in its target's panel. Reopens a closed panel in its previous state.
   */
  private async resume(run: string, start: PanelStart): Promise<void> {
    const owner = await this.readableOwner(start.target);
    const panel = await this.panels.reveal({ ...start, owner });
    panel.resumeReview(run);
  }

  /**
   * Returns the owner of a resource's data. Throws `permission` if the key can't read the owner.
   */
  private async readableOwner(target: BrowsableTarget): Promise<OrganizationId> {
    const stores = this.options.sessions.stores(target.connectionId);
    await requireRight(stores, target, 'readData');
    return getOwner(stores, target);
  }
}

/** Parses a page's state after a window reload. */
function parseState(state: unknown): PanelStart | undefined {
  if (!isDataPanelState(state)) return undefined;
  const { panel, filter, tab } = state;
  const described = describedPanel(panel);
  return described && { ...described, filter, tab };
}

interface KindItem extends vscode.QuickPickItem {
  readonly of: BrowsableTarget['kind'];
}

/**
 * Prompts for the data to browse: first the kind of resource, then the resource. Throws `canceled`.
 */
async function pickBrowseTarget({
  sessions,
  pickTarget,
}: Pick<FleetTools, 'sessions' | 'pickTarget'>): Promise<BrowsableTarget> {
  requireConnection(sessions);
  const kinds: readonly KindItem[] = [
    { of: 'organization', label: vscode.l10n.t('An organization') },
    { of: 'location', label: vscode.l10n.t('A location and everything in it') },
    { of: 'machine', label: vscode.l10n.t('A machine') },
    { of: 'part', label: vscode.l10n.t('A part of a machine') },
    { of: 'dataset', label: vscode.l10n.t('A dataset') },
  ];
  const { of } = await pickOne(kinds, {
    title: vscode.l10n.t('Browse Data'),
    placeholder: vscode.l10n.t('Select a resource type'),
  });
  return pickTarget(of);
}
